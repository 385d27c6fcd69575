import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deviationsFromMedian,
  MAD_TO_STANDARD_DEVIATION,
  medianAbsoluteDeviation,
} from '../../../statistics/mad.ts';
import { assertClose, goldenCases } from './golden.ts';
import { noiseOf } from './noise.ts';

test('agrees with SciPy on the raw deviation (median_abs_deviation)', () => {
  for (const { values, mad } of goldenCases<{ values: number[]; mad: number }>(
    'median-absolute-deviation',
  )) {
    assertClose(medianAbsoluteDeviation(values), mad, `${values.length} values`);
  }
});

test('equals the standard deviation of normal values when scaled', () => {
  const noise = noiseOf(3);
  const values = Array.from({ length: 20_000 }, () => 5 * noise.normal());
  const scaled = MAD_TO_STANDARD_DEVIATION * (medianAbsoluteDeviation(values) as number);
  assert.ok(Math.abs(scaled - 5) < 0.15, String(scaled));
});

test('finds only the outlier', () => {
  const [first, , , , last] = deviationsFromMedian([1, 2, 3, 4, 100]);
  assertClose(first, -2 / MAD_TO_STANDARD_DEVIATION);
  assertClose(last, 97 / MAD_TO_STANDARD_DEVIATION);
});

test('finds no outliers if most values are equal or there are no values', () => {
  assert.deepEqual(deviationsFromMedian([1, 1, 1, 9]), [null, null, null, null]);
  assert.deepEqual(deviationsFromMedian([]), []);
  assert.equal(medianAbsoluteDeviation([]), null);
  assert.equal(medianAbsoluteDeviation([4]), 0);
});
