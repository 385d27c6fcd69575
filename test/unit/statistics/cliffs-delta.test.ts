import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cliffsDelta } from '../../../statistics/cliffs-delta.ts';
import { assertClose, goldenCases } from './golden.ts';

test('agrees with comparing every pair in NumPy, ties included', () => {
  for (const { first, second, delta } of goldenCases<{
    first: number[];
    second: number[];
    delta: number;
  }>('cliffs-delta')) {
    assertClose(cliffsDelta(first, second), delta, `${first.length} and ${second.length} values`);
  }
});

test('is 1 when every value of the first sample is larger, and -1 in the opposite case', () => {
  assert.equal(cliffsDelta([5, 6], [1, 2, 3]), 1);
  assert.equal(cliffsDelta([1, 2, 3], [5, 6]), -1);
  assert.equal(cliffsDelta([4, 4], [4]), 0);
});

test('is null for an empty sample', () => {
  assert.equal(cliffsDelta([], [1]), null);
  assert.equal(cliffsDelta([1], []), null);
});
