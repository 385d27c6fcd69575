import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wilcoxonSignedRank } from '../../../statistics/wilcoxon-signed-rank.ts';
import { assertClose, goldenCases } from './golden.ts';
import { noiseOf } from './noise.ts';

interface Case {
  by: string;
  differences: number[];
  p: number;
  rankSumAbove: number;
  rankSumBelow: number;
}

test('agrees with SciPy and with counting every sign pattern, ties and zeros included', () => {
  for (const { by, differences, p, rankSumAbove, rankSumBelow } of goldenCases<Case>(
    'signed-rank',
  )) {
    const result = wilcoxonSignedRank(differences);
    const what = `${by}, ${differences.length} differences`;
    assertClose(result?.p, p, what);
    assert.equal(result?.rankSumAbove, rankSumAbove, what);
    assert.equal(result?.rankSumBelow, rankSumBelow, what);
    assert.equal(result?.method, by === 'wilcoxon asymptotic' ? 'normal' : 'exact', what);
  }
});

test('swaps only the rank sums when the sign of all differences changes', () => {
  const differences = [3, -1, 4, 1, -5, 9, 0, 2.5];
  const there = wilcoxonSignedRank(differences);
  const back = wilcoxonSignedRank(differences.map((difference) => -difference));
  assert.equal(back?.p, there?.p);
  assert.equal(back?.rankSumAbove, there?.rankSumBelow);
});

test('is never significant with five differences and can be with six', () => {
  assert.equal(wilcoxonSignedRank([1, 2, 3, 4, 5])?.p, 0.0625);
  assert.equal(wilcoxonSignedRank([1, 2, 3, 4, 5, 6])?.p, 0.03125);
});

test('has no test without differences, and finds nothing if all are zero', () => {
  assert.equal(wilcoxonSignedRank([]), null);
  assert.equal(wilcoxonSignedRank([0, 0, 0])?.p, 1);
  assert.equal(wilcoxonSignedRank(new Array(150).fill(0))?.p, 1);
});

for (const n of [6, 10, 20, 30]) {
  test(`finds something in at most 5 of 100 tests of ${n} pairs without differences`, () => {
    const noise = noiseOf(n);
    const samples = 2000;
    let found = 0;
    for (let i = 0; i < samples; i++) {
      const differences = Array.from({ length: n }, () => noise.logNormal(1) - noise.logNormal(1));
      if ((wilcoxonSignedRank(differences) as { p: number }).p < 0.05) found++;
    }
    // Three standard errors of a share of 5 % in 2,000 are 1.5 points.
    assert.ok(found / samples <= 0.05 + 0.015, `${found} of ${samples}`);
    assert.ok(found / samples >= 0.015, `${found} of ${samples}: a test that never finds anything`);
  });
}

test('finds a difference of 10 % in at least 80 of 100 runs of 30 pairs of loads with 10 % noise each', () => {
  const noise = noiseOf(30);
  const runs = 1000;
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const differences = Array.from(
      { length: 30 },
      () => 500 * (1.1 * Math.exp(0.1 * noise.normal()) - Math.exp(0.1 * noise.normal())),
    );
    if ((wilcoxonSignedRank(differences) as { p: number }).p < 0.05) found++;
  }
  assert.ok(found / runs >= 0.8, `${found} of ${runs}`);
});
