import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantile, quantileInPlace } from '../../../statistics/quantile.ts';
import { seededPick } from '../../../statistics/random.ts';

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

test('values that are looked for and values that are sorted give the same quantile, ties and single values included', () => {
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
