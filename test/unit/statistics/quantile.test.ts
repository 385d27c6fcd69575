import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantile } from '../../../statistics/quantile.ts';

const VALUES = [12.5, 3.25, 8, 8, 101.75, 0.5, 44.125];

test('quantiles agree with the values of Python 3.11 (statistics.quantiles, method inclusive, which is type 7)', () => {
  for (const [probability, expected] of [
    [0.05, 1.325],
    [0.25, 5.625],
    [0.5, 8],
    [0.75, 28.3125],
    [0.95, 84.4625],
  ] as const) {
    const value = quantile(VALUES, probability) ?? Number.NaN;
    assert.ok(Math.abs(value - expected) < 1e-12, `${probability}: ${value}`);
  }
  assert.equal(quantile([10, 20, 30, 40], 0.25), 17.5);
});

test('the ends are the smallest and the largest value', () => {
  assert.equal(quantile(VALUES, 0), 0.5);
  assert.equal(quantile(VALUES, 1), 101.75);
});

test('the values are not reordered in place', () => {
  const values = [3, 1, 2];
  quantile(values, 0.5);
  assert.deepEqual(values, [3, 1, 2]);
});

test('no value gives null and a probability outside 0 to 1 is refused', () => {
  assert.equal(quantile([], 0.5), null);
  assert.throws(() => quantile(VALUES, 1.01), /probability is 1.01, expected 0 to 1/);
  assert.throws(() => quantile(VALUES, Number.NaN), RangeError);
});
