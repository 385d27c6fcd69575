import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { seriesChart } from '../../../../kit/charts/series-chart.ts';
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

test('spans stand above the lines, in the row of their stack, as wide as they are long', () => {
  const [first, second] = STACKS;
  assert.ok(first && second);
  const points = [0, 10_000].map((atMs) => ({ atMs, value: 5 }));
  const span = (fromMs: number, untilMs: number) => ({ fromMs, untilMs, title: 'stalled' });
  const { text } = seriesChart(
    [
      { arm: first, points, spans: [span(0, 2_000)] },
      { arm: second, points, spans: [span(5_000, 10_000)] },
    ],
    { label: 'Buffer', since: 'the beginning', untilMs: 20_000 },
    'A chart',
  );
  const { document } = parseHTML(`<main>${text}</main>`);
  const bars = [...document.querySelectorAll('[stroke-width="5"] line')].map((bar) => {
    const [x1, x2, y1, y2] = ['x1', 'x2', 'y1', 'y2'].map((each) => Number(bar.getAttribute(each)));
    assert.equal(y1, y2);
    return Number(x2) - Number(x1);
  });
  assert.equal(bars.length, 2);
  assert.ok(Math.abs((bars[1] ?? 0) / (bars[0] ?? 1) - 2.5) < 0.01, bars.join(', '));
  assert.match(text, /Time since the beginning, in s/);
  const rows = [...document.querySelectorAll('[stroke-width="5"]')].map((row) =>
    row.getAttribute('transform'),
  );
  assert.notEqual(rows[0], rows[1]);
});
