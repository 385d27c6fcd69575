import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimum } from '../../../statistics/minimum.ts';

test('the minimum is found wherever it stands, negative values and zero included', () => {
  assert.equal(minimum([3, 1, 2]), 1);
  assert.equal(minimum([0, -2, 9]), -2);
  assert.equal(minimum([0]), 0);
});

test('no value gives null, not an infinity', () => {
  assert.equal(minimum([]), null);
});
