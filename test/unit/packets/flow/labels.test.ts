import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LABEL_LINE_PX, linesOf, placeLabels } from '../../../../packets/flow/chart.ts';
import { assertEach } from '../../assert-each.ts';

const label = (wantedPx: number, lines = 1, weight = 1) => ({
  wantedPx,
  lines: Array<string>(lines).fill('text'),
  weight,
});

test('keeps labels with room at their positions', () => {
  const placed = placeLabels([label(200), label(100, 2)], [0, 300]);
  assertEach(placed, ({ atPx }) => atPx, [100, 200]);
});

test('moves overlapping labels apart, in order, and keeps them between the edges', () => {
  const placed = placeLabels(
    [label(290, 2), label(292), label(288), label(2), label(0, 3)],
    [0, 300],
  );
  let freePx = 0;
  for (const { label: each, atPx } of placed) {
    const topPx = atPx - LABEL_LINE_PX / 2;
    assert.ok(topPx >= freePx - 1e-9, `${topPx} is not below ${freePx}`);
    freePx = topPx + each.lines.length * LABEL_LINE_PX;
  }
  assert.ok(freePx <= 300);
  assertEach(placed, ({ label: { wantedPx } }) => wantedPx, [0, 2, 288, 290, 292]);
});

test('omits labels without any room', () => {
  assert.deepEqual(placeLabels([label(1), label(2)], [10, 0]), []);
});

test('drops the lightest labels if there is no room for all', () => {
  const labels = [label(10, 1, 1), label(20, 1, 3), label(30, 1, 2)];
  const placed = placeLabels(labels, [0, 2 * LABEL_LINE_PX + 8]);
  assertEach(placed, ({ label: { weight } }) => weight, [3, 2]);
});

test('breaks a text at spaces, and marks what it omits', () => {
  assert.deepEqual(linesOf('one two three four', 9, 2), ['one two', 'three …']);
  assert.deepEqual(linesOf('unbreakable', 6, 2), ['unbre…']);
});
