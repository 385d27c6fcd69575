import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stratifiedMean, stratifiedMeanInterval } from '../../../statistics/stratified-mean.ts';
import { tQuantile } from '../../../statistics/t-distribution.ts';
import { assertClose } from './golden.ts';
import { LOAD_SHAPES, MIXES, mixSample } from './mix-population.ts';
import { noiseOf } from './noise.ts';

const apart = (...values: number[]) => values.map((value) => [value]);

test('one stratum of symmetric values has the interval of Student’s t', () => {
  const found = stratifiedMean([{ weight: 1, groups: apart(1, 2, 3, 4, 5, 6, 7) }]);
  assert.ok(found);
  assertClose(found.estimate, 4);
  assertClose(found.error, Math.sqrt(28 / 6 / 7));
  assertClose(found.degreesOfFreedom, 6);
  assertClose(found.skewness, 0);
  const interval = stratifiedMeanInterval(found, 0.05);
  assertClose(interval?.high, 4 + tQuantile(0.975, 6) * Math.sqrt(28 / 6 / 7));
  assertClose(interval?.low, 8 - (interval?.high ?? 0));
});

test('strata are weighted, and have the degrees of freedom of Welch and Satterthwaite', () => {
  const found = stratifiedMean([
    { weight: 0.75, groups: apart(1, 2, 3, 4, 5, 6, 7) },
    { weight: 0.25, groups: apart(10, 20, 30, 40, 50, 60, 70) },
  ]);
  const parts = [0.75 ** 2 * (28 / 6 / 7), 0.25 ** 2 * (2800 / 6 / 7)] as const;
  assertClose(found?.estimate, 0.75 * 4 + 0.25 * 40);
  assertClose(found?.error, Math.sqrt(parts[0] + parts[1]));
  assertClose(
    found?.degreesOfFreedom,
    (parts[0] + parts[1]) ** 2 / ((parts[0] ** 2 + parts[1] ** 2) / 6),
  );
});

test('skewed values widen the interval on their side alone', () => {
  const skewed = [0, 0, 1, 1, 2, 2, 30];
  const ends = (values: number[]) => {
    const found = stratifiedMean([{ weight: 1, groups: apart(...values) }]);
    const interval = found && stratifiedMeanInterval(found, 0.05);
    assert.ok(found?.error && interval);
    const t = tQuantile(0.975, 6) * found.error;
    return [found.estimate - interval.low - t, interval.high - found.estimate - t] as const;
  };
  const [below, above] = ends(skewed);
  assertClose(below, 0);
  assert.ok(above > 5);
  const [mirroredBelow, mirroredAbove] = ends(skewed.map((value) => -value));
  assertClose(mirroredBelow, above);
  assertClose(mirroredAbove, 0);
});

test('groups that differ widen the interval', () => {
  const values = [1, 2, 1, 2, 1, 2, 11, 12, 11, 12, 11, 12];
  const separate = stratifiedMean([{ weight: 1, groups: apart(...values) }]);
  const grouped = stratifiedMean([
    {
      weight: 1,
      groups: [values.slice(0, 3), values.slice(3, 6), values.slice(6, 9), values.slice(9)],
    },
  ]);
  assert.ok(separate?.error && grouped?.error);
  assertClose(grouped.estimate, separate.estimate);
  assert.ok(grouped.error > 1.2 * separate.error);
  assert.ok(grouped.degreesOfFreedom < separate.degreesOfFreedom);
});

test('fewer than 6 values of a stratum have a mean and no interval; an empty stratum has no mean', () => {
  const few = stratifiedMean([
    { weight: 0.5, groups: apart(1, 2, 3, 4, 5, 6) },
    { weight: 0.5, groups: apart(1, 2, 3, 4, 5) },
  ]);
  assertClose(few?.estimate, 3.25);
  assert.equal(few && stratifiedMeanInterval(few, 0.05), null);
  assert.equal(stratifiedMean([{ weight: 1, groups: [] }]), null);
  assert.equal(stratifiedMean([]), null);
});

test('values without spread have an interval of no width', () => {
  const found = stratifiedMean([{ weight: 1, groups: apart(5, 5, 5, 5, 5, 5) }]);
  assert.deepEqual(found && stratifiedMeanInterval(found, 0.05), { low: 5, high: 5 });
});

// test/long/coverage.test.ts has all shapes, mixes and numbers of pairs.
test('the interval holds the true mean of 94 % of 2,000 skewed populations of three conditions', (t) => {
  for (const shape of LOAD_SHAPES) {
    const noise = noiseOf(45);
    let held = 0;
    for (let sample = 0; sample < 2000; sample += 1) {
      const { truth, strata } = mixSample(noise, shape, MIXES[0] as readonly number[], 12);
      const found = stratifiedMean(strata);
      const interval = found && stratifiedMeanInterval(found, 0.05);
      assert.ok(interval);
      if (interval.low <= truth && truth <= interval.high) held += 1;
    }
    t.diagnostic(`${shape.name}: ${held / 20} %`);
    assert.ok(held >= 0.94 * 2000, `${shape.name}: ${held / 20} %`);
    assert.ok(held <= 0.985 * 2000, `${shape.name}: ${held / 20} %`);
  }
});
