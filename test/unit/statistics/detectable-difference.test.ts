import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  detectableDifference,
  expectedHalfWidth,
} from '../../../statistics/detectable-difference.ts';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { wilcoxonSignedRank } from '../../../statistics/wilcoxon-signed-rank.ts';
import { assertClose, goldenCases } from './golden.ts';
import { noiseOf } from './noise.ts';

test("agrees with the formula on SciPy's quantiles in difference and half-width", () => {
  for (const { pairs, standardDeviation, difference, halfWidth } of goldenCases<{
    pairs: number;
    standardDeviation: number;
    difference: number;
    halfWidth: number;
  }>('detectable-difference')) {
    assertClose(detectableDifference(pairs, standardDeviation), difference, `${pairs} pairs`);
    assertClose(expectedHalfWidth(pairs, standardDeviation), halfWidth, `${pairs} pairs`);
  }
});

for (const pairs of [10, 20, 30, 60]) {
  test(`finds the detectable difference in about 80 of 100 runs of ${pairs} pairs`, () => {
    const noise = noiseOf(pairs);
    const difference = detectableDifference(pairs, 1) as number;
    const runs = 2000;
    let found = 0;
    let width = 0;
    for (let run = 0; run < runs; run++) {
      const values = Array.from({ length: pairs }, () => difference + noise.normal());
      if ((wilcoxonSignedRank(values) as { p: number }).p < 0.05) found++;
      const { low, high } = hodgesLehmannInterval(values) as { low: number; high: number };
      width += high - low;
    }
    assert.ok(found / runs > 0.76 && found / runs < 0.85, `${found} of ${runs}`);
    const halfWidth = expectedHalfWidth(pairs, 1) as number;
    assert.ok(
      Math.abs(width / runs / 2 / halfWidth - 1) < 0.08,
      `${width / runs / 2}, ${halfWidth}`,
    );
  });
}

test('detects nothing below six pairs', () => {
  assert.equal(detectableDifference(5, 1), null);
  assert.equal(expectedHalfWidth(5, 1), null);
});
