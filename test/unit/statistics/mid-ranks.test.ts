import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubledMidRanks } from '../../../statistics/mid-ranks.ts';

test('gives equal values the mean of their ranks', () => {
  assert.deepEqual(doubledMidRanks([5, 1, 5]), [5, 2, 5]);
  assert.deepEqual(doubledMidRanks([7, 7, 7, 1]), [6, 6, 6, 2]);
  assert.deepEqual(doubledMidRanks([]), []);
});
