import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeChart } from '../../../../kit/charts/size-chart.ts';
import { HOSTILE, STACKS } from './marks.ts';

const AXIS = { label: 'Rate', text: (value: number) => `${value} kbit/s`, tickText: String };

test('each size is a sign for each stack with its interval, and the axis has the sizes', () => {
  const stacks = STACKS.map((arm, place) => ({
    arm,
    points: [
      { bytes: 10_000, value: 100 + place, low: 90, high: 120 },
      { bytes: 1_000_000, value: 900, low: null, high: null },
    ],
  }));
  const svg = sizeChart(stacks, [], AXIS, 'A chart').text;
  assert.equal(svg.match(/, 10 kB: 10\d kbit\/s</g)?.length, STACKS.length);
  assert.match(svg, />10 kB<\/text>/);
  assert.match(svg, />1 MB<\/text>/);
  assert.doesNotMatch(svg, /NaN|style=/);
});

test('sizes next to each other share one text, and a crossing is a line with its sentence', () => {
  const points = [1000, 1100, 1_000_000].map((bytes) => ({
    bytes,
    value: 1,
    low: null,
    high: null,
  }));
  const [arm] = STACKS;
  assert.ok(arm);
  const svg = sizeChart([{ arm, points }], [{ bytes: 5000, label: HOSTILE }], AXIS, 'A chart').text;
  assert.doesNotMatch(svg, />1\.1 kB<\/text>/);
  assert.match(svg, /<title>&lt;|<title>.*alert/);
  assert.doesNotMatch(svg, /<script|<img/);
});

test('nothing to show does not fail', () => {
  assert.doesNotMatch(sizeChart([], [], AXIS, 'A chart').text, /NaN|Infinity/);
});
