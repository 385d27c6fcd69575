import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriesChart } from '../../../../report/charts/series-chart.ts';
import { STACKS } from './marks.ts';

const [ARM] = STACKS;

test('a number that nobody told leaves a gap in the line', () => {
  assert.ok(ARM);
  const points = [10, 20, null, 30, 40].map((value, index) => ({ atMs: 100 * index, value }));
  const svg = seriesChart([{ arm: ARM, points }], { label: 'Bytes' }, 'A chart').text;
  const [, line] = /<path d="([^"]+)"/.exec(svg) ?? [];
  assert.equal(line?.match(/M/g)?.length, 2);
  assert.match(svg, /in ms</);
});

test('long transfers are told in seconds, and no steps at all do not fail', () => {
  assert.ok(ARM);
  const points = [0, 30_000].map((atMs) => ({ atMs, value: atMs }));
  assert.match(seriesChart([{ arm: ARM, points }], { label: 'Bytes' }, 'A chart').text, /in s</);
  assert.doesNotMatch(
    seriesChart([{ arm: ARM, points: [] }], { label: 'Bytes' }, 'A chart').text,
    /NaN|Infinity/,
  );
});
