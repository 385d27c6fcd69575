import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tQuantile, tTails } from '../../../statistics/t-distribution.ts';
import { assertClose, goldenCases } from './golden.ts';

test('agrees with SciPy (t.ppf) on quantiles and tails from 1 to 1001 degrees of freedom', () => {
  for (const { kind, degreesOfFreedom, p, t } of goldenCases<{
    kind: string;
    degreesOfFreedom: number;
    p: number;
    t: number;
  }>('distributions')) {
    if (kind !== 't quantile') continue;
    assertClose(tQuantile(p, degreesOfFreedom), t, `${p}, ${degreesOfFreedom}`);
    assertClose(tTails(t, degreesOfFreedom), 2 * (1 - p), `beyond ${t}, ${degreesOfFreedom}`);
  }
  assert.equal(tQuantile(0.5, 7), 0);
});

test('rejects probabilities below one half and fractional degrees of freedom', () => {
  assert.throws(() => tQuantile(0.4, 5), /probability is 0.4, expected at least 0.5/);
  assert.throws(() => tQuantile(1, 5), RangeError);
  assert.throws(() => tQuantile(0.9, 0), /degreesOfFreedom is 0, expected 1, 2, 3/);
  assert.throws(() => tQuantile(0.9, 2.5), RangeError);
});
