import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hodgesLehmannInterval } from '../../../statistics/hodges-lehmann-interval.ts';
import { wilcoxonSignedRank } from '../../../statistics/wilcoxon-signed-rank.ts';
import { assertClose, goldenCases } from './golden.ts';
import { noiseOf } from './noise.ts';

interface Case {
  values: number[];
  interval: { low: number; high: number; level: number } | null;
}

test('agrees in ends and level with whole-number counts made in Python', () => {
  for (const { values, interval } of goldenCases<Case>('hodges-lehmann')) {
    if (!interval) continue;
    const made = hodgesLehmannInterval(values);
    assertClose(made?.low, interval.low, `${values.length} values, low`);
    assertClose(made?.high, interval.high, `${values.length} values, high`);
    assertClose(made?.level, interval.level, `${values.length} values, level`);
  }
});

test('has a level from 95 to 96.9 % with every number of values from 6 on', () => {
  for (let n = 6; n <= 150; n++) {
    const { level = 0 } = hodgesLehmannInterval(Array.from({ length: n }, (_, i) => i)) ?? {};
    assert.ok(level >= 0.95 - 1e-12 && level <= 0.96875, `${n} values: ${level}`);
  }
});

test('excludes 0 exactly when the signed-rank test finds a difference', () => {
  const noise = noiseOf(12);
  for (const n of [6, 7, 10, 30, 60, 100, 120]) {
    let found = 0;
    for (let i = 0; i < 100; i++) {
      const shift = noise.uniform() * 1.5;
      const values = Array.from({ length: n }, () => shift + noise.normal());
      const { low, high } = hodgesLehmannInterval(values) as { low: number; high: number };
      const significant = (wilcoxonSignedRank(values) as { p: number }).p < 0.05;
      assert.equal(low > 0 || high < 0, significant, JSON.stringify(values));
      if (significant) found++;
    }
    assert.ok(found > 5 && found < 100, `${n} values: ${found} of 100 say nothing about the other`);
  }
});

test('has no signed-rank difference just inside of each end, and one just outside', () => {
  const noise = noiseOf(13);
  for (const n of [6, 9, 25, 100, 101, 300]) {
    const values = Array.from({ length: n }, noise.normal);
    const { low, high } = hodgesLehmannInterval(values) as { low: number; high: number };
    const pAt = (shift: number) =>
      (wilcoxonSignedRank(values.map((value) => value - shift)) as { p: number }).p;
    const step = 1e-9;
    assert.ok(pAt(low + step) >= 0.05 && pAt(high - step) >= 0.05, `${n} values, inside`);
    assert.ok(pAt(low - step) < 0.05 && pAt(high + step) < 0.05, `${n} values, outside`);
  }
});

test('has no interval below six values', () => {
  assert.equal(hodgesLehmannInterval([]), null);
  assert.equal(hodgesLehmannInterval([1, 2, 3, 4, 5]), null);
});
