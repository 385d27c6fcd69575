import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hodgesLehmann } from '../../../statistics/hodges-lehmann.ts';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { wilcoxonSignedRank } from '../../../statistics/wilcoxon-signed-rank.ts';
import { assertClose } from './golden.ts';

const FAILED = Number.POSITIVE_INFINITY;

/** The median of all Walsh averages by its definition; the mean of the two infinities is 0. */
function medianOfMeans(values: readonly number[]): number {
  const means = values
    .flatMap((a, index) => values.slice(index).map((b) => (a === -b ? 0 : (a + b) / 2)))
    .toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [means[Math.ceil(means.length / 2) - 1], means[means.length >> 1]];
  return low === high ? low : (low + high) / 2;
}

test('moves the estimate by a few failures as by a very large value, and keeps it finite', () => {
  const values = [-0.2, -0.1, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
  assertClose(hodgesLehmann([...values, FAILED]), medianOfMeans([...values, FAILED]));
  assertClose(hodgesLehmann([...values, FAILED]), hodgesLehmann([...values, 1e9]) ?? 0);
  assertClose(
    hodgesLehmann([...values, FAILED, -FAILED]),
    medianOfMeans([...values, FAILED, -FAILED]),
  );
});

test('estimates a failure half-way between a number of any sign and a failure', () => {
  // 3 of the 6 means are finite; with 20 values, of which 6 failed, 105 of 210.
  for (const value of [-1, 0, 1]) {
    assert.equal(hodgesLehmann([value, value, FAILED]), FAILED);
    assert.equal(hodgesLehmann([value, value, -FAILED]), -FAILED);
    const many = Array.from({ length: 20 }, (_, index) => (index < 6 ? FAILED : value - index));
    assert.equal(hodgesLehmann(many), FAILED);
    assert.ok(Number.isFinite(hodgesLehmann(many.with(5, value))));
  }
});

test('loses only the limit on the side of the failures', () => {
  const values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
  const interval = hodgesLehmannInterval([...values, FAILED]);
  assert.deepEqual([interval?.high, Number.isFinite(interval?.low)], [FAILED, true]);
  const other = hodgesLehmannInterval([...values, -FAILED]);
  assert.deepEqual([other?.low, Number.isFinite(other?.high)], [-FAILED, true]);
});

test('gives a failure the largest rank in the signed-rank test', () => {
  const test = wilcoxonSignedRank([-1, -2, -3, -4, -5, FAILED]);
  assert.deepEqual([test?.rankSumAbove, test?.rankSumBelow], [6, 15]);
  assert.equal(
    wilcoxonSignedRank([-1, -2, -3, -4, -5, FAILED])?.p,
    wilcoxonSignedRank([-1, -2, -3, -4, -5, 99])?.p,
  );
  // Failures alone: the exact sign test, 2 of 64.
  assert.equal(wilcoxonSignedRank(Array(6).fill(FAILED))?.p, 2 / 64);
});
