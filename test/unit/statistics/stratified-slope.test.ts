import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Point, stratifiedSlope } from '../../../statistics/stratified-slope.ts';
import { noiseFrom } from '../report/summary/simulated-blocks.ts';

test('gives the slope, error and p of an analysis of covariance', () => {
  // By hand: Sxx 2 + 2, Sxy 1 + 1, Syy 2/3 + 2; residual 8/3 - 1 = 5/3 with 6 - 2 - 1 = 3 degrees of freedom.
  const found = stratifiedSlope([
    [
      [0, 1],
      [1, 2],
      [2, 2],
    ],
    [
      [0, 8],
      [1, 7],
      [2, 9],
    ],
  ]);
  assert.ok(found);
  assert.ok(Math.abs(found.slope - 0.5) < 1e-12);
  assert.ok(Math.abs(found.error - Math.sqrt(5 / 3 / 3 / 4)) < 1e-12);
  assert.equal(found.degreesOfFreedom, 3);
  // t = 1.3416 with 3 degrees of freedom.
  assert.ok(Math.abs(found.p - 0.2722) < 0.0005, `${found.p}`);
});

test('has no result without two x values in a stratum, and without any variation', () => {
  assert.equal(stratifiedSlope([]), null);
  assert.equal(stratifiedSlope([[[1, 2]], [[2, 5]]]), null);
  const flat = [0, 1, 2, 3].map((x): Point => [x, 0.1]);
  assert.equal(stratifiedSlope([flat]), null);
  assert.equal(stratifiedSlope([flat.map(([x]): Point => [x, 3 * x])]), null);
});

test('ignores differences between strata', () => {
  const noise = noiseFrom(3);
  const strata = Array.from({ length: 20 }, () =>
    [0, 1, 2, 3].map((x): Point => [x, 0.2 * x + noise()]),
  );
  const shifted = strata.map((points, index) =>
    points.map(([x, y]): Point => [x + 10 * index, y - 7 * index]),
  );
  const [slope, moved] = [stratifiedSlope(strata), stratifiedSlope(shifted)];
  assert.ok(slope && moved);
  assert.ok(Math.abs(slope.slope - moved.slope) < 1e-9);
  assert.ok(Math.abs(slope.p - moved.p) < 1e-9);
});
