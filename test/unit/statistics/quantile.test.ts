import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantile, quantileInPlace, reachedQuantile } from '../../../statistics/quantile.ts';
import { seededPick } from '../../../statistics/random.ts';
import { assertClose, goldenCases } from './golden.ts';

const VALUES = [12.5, 3.25, 8, 8, 101.75, 0.5, 44.125];

test('agrees with Python 3.11 (statistics.quantiles, method inclusive, which is type 7)', () => {
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

test('has the smallest and the largest value at its ends', () => {
  assert.equal(quantile(VALUES, 0), 0.5);
  assert.equal(quantile(VALUES, 1), 101.75);
});

test('does not reorder the values in place', () => {
  const values = [3, 1, 2];
  quantile(values, 0.5);
  assert.deepEqual(values, [3, 1, 2]);
});

test('is null without values, and rejects a probability outside 0 to 1', () => {
  assert.equal(quantile([], 0.5), null);
  assert.throws(() => quantile(VALUES, 1.01), /probability is 1.01, expected 0 to 1/);
  assert.throws(() => quantile(VALUES, Number.NaN), RangeError);
});

test('gives the same quantile by selection and by sorting, with ties and single values', () => {
  const pick = seededPick(5);
  for (const different of [3, 1_000_000]) {
    for (const n of [1, 2, 3, 10, 101, 1000]) {
      const values = Array.from({ length: n }, () => pick(different) - 1.5);
      for (const probability of [0, 0.0024, 0.25, 0.5, 0.975, 1]) {
        assert.equal(
          quantileInPlace(Float64Array.from(values), probability),
          quantile(values, probability),
          `${n} values, ${probability}`,
        );
      }
    }
  }
});

interface Golden {
  values: number[];
  quantiles: { percent: number; reached: number; straight: number }[];
}

test('agrees with NumPy on quantiles of both types (percentile, linear and inverted_cdf)', () => {
  for (const { values, quantiles } of goldenCases<Golden>('quantiles')) {
    const sorted = values.toSorted((a, b) => a - b);
    for (const { percent, reached, straight } of quantiles) {
      assertClose(quantile(values, percent / 100), straight, `${values.length}, ${percent} %`);
      assert.equal(reachedQuantile(sorted, percent), reached, `${values.length}, ${percent} %`);
    }
  }
});

test('is exact at a share that is a whole number of values', () => {
  const sorted = Array.from({ length: 1000 }, (_, index) => index + 1);
  for (const n of [20, 100, 700, 1000]) {
    for (let percent = 5; percent <= 100; percent += 5) {
      assert.equal(reachedQuantile(sorted.slice(0, n), percent), (n / 20) * (percent / 5));
    }
  }
  assert.equal(reachedQuantile([], 50), null);
  assert.equal(reachedQuantile([1, Number.POSITIVE_INFINITY], 90), Number.POSITIVE_INFINITY);
  assert.throws(() => reachedQuantile(sorted, 101), /percent is 101, expected 0 to 100/);
});
