import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceEstimate, medianEstimate } from '../../../experiments/estimates.ts';

test('ignores missing values in a median, and has an interval from 6 numbers on', () => {
  assert.deepEqual(medianEstimate([3, null, 1, 2]), { estimate: 2, low: null, high: null });
  const { estimate, low, high } = medianEstimate([6, 1, 5, 2, null, 4, 3]) ?? {};
  assert.equal(estimate, 3.5);
  assert.ok(low != null && high != null && low >= 1 && low < 3 && high > 4 && high <= 6);
  assert.equal(medianEstimate([null]), null);
});

test('estimates differences by the median of their means, pair by pair', () => {
  assert.deepEqual(differenceEstimate([1, 2, 6]), { estimate: 2.75, low: null, high: null });
  assert.deepEqual(differenceEstimate([3, 1, 2, 6, 4, 5]), { estimate: 3.5, low: 1, high: 6 });
  assert.equal(differenceEstimate([]), null);
});
