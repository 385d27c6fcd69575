import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type EstimateAt,
  significantCrossings,
} from '../../../statistics/significant-crossings.ts';
import { assertEach } from '../assert-each.ts';

/** An estimate with an interval of this half-width; null: without one. */
function at(x: number, estimate: number, reach: number | null = 0.5): EstimateAt {
  return {
    x,
    estimate,
    low: reach === null ? null : estimate - reach,
    high: reach === null ? null : estimate + reach,
  };
}

test('interpolates the crossing of estimates that surely change sides, and its interval from their ends', () => {
  const rising = [at(1, -1), at(3, 1)];
  // The upper end rises from -0.5 to 1.5, the lower one from -1.5 to 0.5.
  assert.deepEqual(significantCrossings(rising), [{ x: 2, low: 1.5, high: 2.5, before: -1 }]);
  const falling = rising.map(({ x, estimate, low, high }) => ({
    x,
    estimate: -estimate,
    low: -(high ?? 0),
    high: -(low ?? 0),
  }));
  assert.deepEqual(significantCrossings(falling), [{ x: 2, low: 1.5, high: 2.5, before: 1 }]);
});

test('includes undecided points in the stretch, and takes the last crossing of the estimates', () => {
  const wavering = [at(0, -1), at(1, 0.25, 1), at(2, -0.25, 1), at(3, 1)];
  // Up from -0.5 to 1.25: 0.5 / 1.75 of the way; down from 0.5 to -1.25: the same from the opposite
  // side.
  const [crossing, ...rest] = significantCrossings(wavering);
  assert.equal(rest.length, 0);
  assert.ok(crossing);
  assert.ok(Math.abs(crossing.x - 2.2) < 1e-12, `${crossing.x}`);
  assert.ok(Math.abs(crossing.low - 2 / 7) < 1e-12, `${crossing.low}`);
  assert.ok(Math.abs(crossing.high - (3 - 2 / 7)) < 1e-12, `${crossing.high}`);
});

test('excludes nothing up to the neighbours of a point without an interval', () => {
  const [crossing] = significantCrossings([at(0, -1), at(1, -0.1, null), at(2, 1)]);
  assert.equal(crossing?.low, 0);
  assert.equal(crossing?.high, 2);
});

test('crosses estimates of 0 at their point', () => {
  const [crossing] = significantCrossings([at(0, 1), at(1, 0), at(2, -1)]);
  assert.equal(crossing?.x, 1);
});

test('ignores a change that chance can explain, and no change', () => {
  assert.deepEqual(significantCrossings([at(0, -1), at(1, 0.4)]), []);
  assert.deepEqual(significantCrossings([at(0, -0.4), at(1, 1)]), []);
  assert.deepEqual(significantCrossings([at(0, 1), at(1, 0.1), at(2, 1)]), []);
  assert.deepEqual(significantCrossings([at(0, 1, null), at(1, -1, null)]), []);
  assert.deepEqual(significantCrossings([]), []);
});

test('reports each change back and forth as a separate crossing', () => {
  const crossings = significantCrossings([at(0, 1), at(1, -1), at(2, 1)]);
  assertEach(crossings, ({ x, before }) => [x, before], [
    [0.5, 1],
    [1.5, -1],
  ]);
});
