import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maximum } from '../../../statistics/maximum.ts';

test('the maximum is found wherever it stands, negative values and zero included', () => {
  assert.equal(maximum([3, 1, 2]), 3);
  assert.equal(maximum([0, -2, 9]), 9);
  assert.equal(maximum([0]), 0);
});

test('no value gives null, not an infinity', () => {
  assert.equal(maximum([]), null);
});
