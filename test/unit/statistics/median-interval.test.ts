import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianInterval } from '../../../statistics/median-interval.ts';
import { assertClose } from './golden.ts';

test('has ends between order statistics as computed by hand for ten values', () => {
  // P(at most 1 of 10) = 11 / 1024 and P(at most 2) = 56 / 1024 enclose 0.025 = 25.6 / 1024: share 14.6 / 45.
  const share = 14.6 / 45;
  const weight = (8 * share) / (2 + 6 * share);
  const interval = medianInterval([10, 3, 1, 4, 2, 6, 5, 8, 7, 9]);
  assertClose(interval?.low, 2 + weight);
  assertClose(interval?.high, 9 - weight);
});

test('has a narrow interval around the median for many values', () => {
  const values = Array.from({ length: 9999 }, (_, i) => i);
  const { low, high } = medianInterval(values) as { low: number; high: number };
  // 1.96 standard deviations of a count of one half of 9999 are 98.
  assert.ok(Math.abs(low - (4999 - 98)) < 2 && Math.abs(high - (4999 + 98)) < 2, `${low} ${high}`);
});

test('has no interval below six values', () => {
  assert.equal(medianInterval([1, 2, 3, 4, 5]), null);
});
