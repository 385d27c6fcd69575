import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeScale } from '../../../../packets/flow/frame.ts';

test('has an even axis without silences', () => {
  const scale = timeScale(
    100,
    [
      [0, 60],
      [50, 100],
    ],
    [10, 210],
    10,
  );
  assert.deepEqual(scale.breaks, []);
  assert.deepEqual([0, 50, 100].map(scale.at), [10, 110, 210]);
  assert.deepEqual(scale.ticksMs, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
});

test('shortens a silence of more than a third, with no tick in it, and keeps time increasing', () => {
  const scale = timeScale(
    1000,
    [
      [0, 50],
      [40, 60],
      [950, 1000],
    ],
    [0, 600],
    10,
  );
  assert.deepEqual(scale.breaks, [[60, 950]]);
  assert.deepEqual(scale.ticksMs, [0, 20, 40, 60, 960, 980, 1000]);
  const places = [0, 30, 60, 500, 950, 980, 1000].map(scale.at);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.equal(places[0], 0);
  assert.equal(Math.round(places.at(-1) ?? 0), 600);
});

test('ignores a silence after the end of the axis', () => {
  assert.deepEqual(
    timeScale(
      100,
      [
        [0, 100],
        [900, 1000],
      ],
      [0, 100],
      10,
    ).breaks,
    [],
  );
});

test('has as many ticks as any axis with a silence of years', () => {
  const endMs = 1e14;
  const busy = [
    [0, 50],
    [endMs - 50, endMs],
  ] as const;
  const { ticksMs } = timeScale(endMs, busy, [0, 600], 10);
  assert.ok(ticksMs.length > 5 && ticksMs.length < 20, `${ticksMs.length} ticks`);
});
