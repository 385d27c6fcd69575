import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hodgesLehmann } from '../../../statistics/hodges-lehmann.ts';
import { assertClose, goldenCases } from './golden.ts';
import { noiseOf } from './noise.ts';

test('agrees with the median of all Walsh averages made by NumPy', () => {
  for (const { values, estimate } of goldenCases<{ values: number[]; estimate: number }>(
    'hodges-lehmann',
  )) {
    assertClose(hodgesLehmann(values), estimate, `${values.length} values`);
  }
});

test('is robust to outliers in a third of the values', () => {
  const values = [9, 10, 11, 10.5, 9.5, 10.2, 1e9];
  const estimate = hodgesLehmann(values) ?? Number.NaN;
  assert.ok(estimate > 9.5 && estimate < 11, String(estimate));
});

test('moves and scales with all values', () => {
  const noise = noiseOf(5);
  const values = Array.from({ length: 1000 }, noise.heavyTailed);
  const estimate = hodgesLehmann(values) ?? Number.NaN;
  assertClose(hodgesLehmann(values.map((value) => 4 * value)), 4 * estimate);
  const moved = hodgesLehmann(values.map((value) => value + 1000)) ?? Number.NaN;
  assert.ok(Math.abs(moved - 1000 - estimate) < 1e-9);
});

test('does not reorder values in place, and has no estimate without values', () => {
  const values = [3, 1, 2];
  hodgesLehmann(values);
  assert.deepEqual(values, [3, 1, 2]);
  assert.equal(hodgesLehmann([]), null);
});
