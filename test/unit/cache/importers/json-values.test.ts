import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countJsonValues } from '../../../../cache/importers/json.ts';

const count = (json: string, max = 1000) => countJsonValues(Buffer.from(json), max);

test('counts values by the characters before or between them', () => {
  assert.equal(count('5'), 0);
  assert.equal(count('[]'), 1);
  assert.equal(count('[1,2,3]'), 3);
  assert.equal(count('{"a":{},"b":[[],[]]}'), 9);
});

test('does not count the contents of a string, however it ends', () => {
  assert.equal(count('["[,{:", "\\",,,", "\\\\", ",\\\\\\",,"]'), 4);
  assert.equal(count('[",,,,'), 1);
});

test('stops counting at the limit', () => {
  assert.equal(count('[,,,,,,,,,,', 3), 4);
});
