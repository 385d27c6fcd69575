import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRows } from '../../../studies/csv-rows.ts';

test('finds columns by their names, with either kind of line end', () => {
  assert.deepEqual(csvRows('a,b,c\r\n1,2,\n3,4,5\n', ['c', 'a']), [
    { a: '1', c: '' },
    { a: '3', c: '5' },
  ]);
});

test('names a missing column, and a line with another number of fields', () => {
  assert.throws(() => csvRows('a,b\n1,2\n', ['a', 'd']), /line 1 .*expected d among them/);
  assert.throws(
    () => csvRows('a,b\n1,2\n1,2,3\n', ['a']),
    /line 3 has 3 fields, expected 2 .*: 1,2,3/,
  );
});
