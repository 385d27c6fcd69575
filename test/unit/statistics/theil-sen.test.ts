import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theilSen } from '../../../statistics/theil-sen.ts';
import { assertClose, goldenCases } from './golden.ts';

test('agrees with SciPy on slope and intercept (theilslopes, joint), repeated x included', () => {
  for (const { points, slope, intercept } of goldenCases<{
    points: [number, number][];
    slope: number;
    intercept: number;
  }>('theil-sen')) {
    const line = theilSen(points);
    assertClose(line?.slope, slope, 'slope');
    assertClose(line?.intercept, intercept, 'intercept');
  }
});

test('keeps the line with one odd point among six', () => {
  const points = [0, 1, 2, 3, 4, 5].map((x) => [x, x === 4 ? 1000 : 2 * x + 7] as const);
  assert.deepEqual(theilSen(points), { slope: 2, intercept: 7 });
});

test('needs two different x for a line', () => {
  assert.equal(theilSen([]), null);
  assert.equal(theilSen([[1, 2]]), null);
  assert.equal(
    theilSen([
      [1, 2],
      [1, 3],
    ]),
    null,
  );
});

test('has no slope between points that are too near to each other', () => {
  const points = [
    [0, 0],
    [0.1, 5],
    [10, 20],
    [10.1, 25],
  ] as const;
  assert.equal(theilSen(points.slice(0, 2), 1), null);
  const { slope = Number.NaN } = theilSen(points, 1) ?? {};
  assert.ok(slope > 1.5 && slope < 2.5, `${slope}`);
  assert.ok((theilSen(points)?.slope ?? 0) > 2);
});
