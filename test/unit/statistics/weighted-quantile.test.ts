import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weightedQuantile } from '../../../statistics/weighted-quantile.ts';

test('equal weights give the quantile of type 1', () => {
  const values = [40, 10, 30, 20].map((value) => ({ value, weight: 0.1 }));
  const found = [0.1, 0.25, 0.26, 0.5, 0.75, 1].map((each) => weightedQuantile(values, each));
  assert.deepEqual(found, [10, 10, 20, 20, 30, 40]);
});

test('a value with a larger weight reaches further', () => {
  const values = [
    { value: 1, weight: 3 },
    { value: 9, weight: 1 },
  ];
  assert.deepEqual([weightedQuantile(values, 0.75), weightedQuantile(values, 0.76)], [1, 9]);
});

test('sums of shares that are not exact in binary lose no value', () => {
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((value) => ({ value, weight: 0.1 }));
  assert.equal(weightedQuantile(values, 0.3), 3);
});

test('no values have no quantile', () => {
  assert.equal(weightedQuantile([], 0.5), null);
});
