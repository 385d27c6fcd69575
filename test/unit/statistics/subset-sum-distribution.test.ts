import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subsetSumDistribution } from '../../../statistics/subset-sum-distribution.ts';

test('counts the sums of subsets of 1, 2 and 3 as by hand', () => {
  // 0, 1, 2, 3, 1+2, 1+3, 2+3, 1+2+3
  assert.deepEqual(
    [...subsetSumDistribution([1, 2, 3])].map((probability) => probability * 8),
    [1, 1, 1, 2, 1, 1, 1],
  );
  assert.deepEqual([...subsetSumDistribution([])], [1]);
});

test('omits sums outside the limit, and counts the rest as before', () => {
  assert.deepEqual(
    [...subsetSumDistribution([2, 2, 5, 1, 4], 6)],
    [...subsetSumDistribution([2, 2, 5, 1, 4]).slice(0, 7)],
  );
});
