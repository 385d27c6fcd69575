import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standardDeviation } from '../../../statistics/standard-deviation.ts';

test('agrees with the value of Python 3.11 (statistics.stdev, n - 1)', () => {
  const value = standardDeviation([12.5, 3.25, 8, 8, 101.75, 0.5, 44.125]) ?? Number.NaN;
  assert.ok(Math.abs(value - 36.65718559781126) < 1e-12, String(value));
  assert.equal(standardDeviation([2, 4, 6]), 2);
});

test('keeps a small spread of large values', () => {
  assert.equal(standardDeviation([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]), 5.477225575051661);
});

test('is zero for equal values, and null below two values', () => {
  assert.equal(standardDeviation([3, 3, 3]), 0);
  assert.equal(standardDeviation([3]), null);
  assert.equal(standardDeviation([]), null);
});
