import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divergingChart, type SiteDifference } from '../../../../kit/charts/diverging-chart.ts';
import { elementsOf, HOSTILE, numbersOf } from './marks.ts';

const TIME = {
  phrase: 'page load time',
  unit: 'ms',
  better: 'lower',
  words: ['faster', 'slower'],
} as const;

function row(
  name: string,
  difference: SiteDifference['difference'],
  verdict: SiteDifference['verdict'],
): SiteDifference {
  return { name, difference, verdict };
}

const ROWS = [
  row('a.example', { estimate: -40, low: -50, high: -30 }, 'faster'),
  row('b.example', { estimate: 0.5, low: -1, high: 2 }, 'same'),
  row('c.example', { estimate: 10, low: -20, high: 40 }, 'undecided'),
  row('d.example', { estimate: 20, low: 15, high: 25 }, 'slower'),
  row('e.example', null, 'slower'),
];
const chartOf = (rows: readonly SiteDifference[] = ROWS, metric = TIME) =>
  divergingChart(rows, metric, 'A chart').text;

/** The bars from the top, each by its ends from zero in ms. */
function barsOf(svg: string) {
  const [zero = Number.NaN] = numbersOf(
    /<g[^>]*stroke-width="1\.5"[^>]*>.*?<\/g>/.exec(svg)?.[0] ?? '',
    'line',
    'x1',
  );
  const bars = elementsOf(svg, 'rect')
    .map(({ x, y, width }) => ({ x: Number(x), y: Number(y), width: Number(width) }))
    .toSorted((one, other) => one.y - other.y);
  return bars.map(({ x, width }) => [x - zero, x + width - zero] as const);
}

test('draws a bar from zero to its difference, left where the stack took less', () => {
  const bars = barsOf(chartOf());
  assert.equal(bars.length, 4);
  const [[left, end] = [0, 0]] = bars;
  assert.ok(Math.abs(end) < 0.2);
  const pxOfMs = -left / 40;
  for (const [index, estimate] of [-40, 0.5, 10, 20].entries()) {
    const [from = Number.NaN, to = Number.NaN] = bars[index] ?? [];
    assert.ok(Math.abs(from - Math.min(0, estimate) * pxOfMs) < 0.3, `${index}: ${from}`);
    assert.ok(Math.abs(to - Math.max(0, estimate) * pxOfMs) < 0.3, `${index}: ${to}`);
  }
});

test('shows in each row its number with its interval and the sign of its verdict, or a dash without a difference', () => {
  const svg = chartOf();
  for (const text of ['−40.0 (−50.0 to −30.0)', '+0.5 (−1.0 to +2.0)', '–']) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  for (const [sign, count] of [
    ['◄', 1],
    ['■', 1],
    ['○', 1],
    ['►', 2],
  ] as const) {
    assert.equal(svg.match(new RegExp(`>${sign}<`, 'g'))?.length, count, sign);
  }
});

test('gives the same bar of a rate the opposite verdict on the same side', () => {
  const rate = { phrase: 'goodput', unit: 'kbps', better: 'higher', words: TIME.words } as const;
  const svg = divergingChart(
    [row('a.example', { estimate: 4_000_000, low: 3_000_000, high: 5_000_000 }, 'faster')],
    rate,
    'A chart',
  ).text;
  assert.match(svg, />►</);
  assert.match(svg, />more, in Gbit\/s ►</);
  assert.match(svg, />\+4\.00 \(\+3\.00 to \+5\.00\)</);
});

test('ends a wide interval at the edge with an arrow, keeps the bars readable, and draws a wide bar whole', () => {
  const wild = row('w', { estimate: 5, low: -9000, high: null }, 'undecided');
  const [[left] = [0]] = barsOf(chartOf([...ROWS, wild]));
  assert.ok(left < -100, `${left}`);
  assert.match(chartOf([...ROWS, wild]), />←<.*>→</);
  const bars = barsOf(
    chartOf([...ROWS, row('w', { estimate: 5000, low: null, high: null }, 'slower')]),
  );
  assert.ok(Math.max(...bars.map(([, to]) => to)) > 400);
});

test('draws undecided bars hollow', () => {
  const bars = elementsOf(chartOf(), 'rect');
  assert.equal(bars.length, 4);
  for (const { fill = '', 'fill-opacity': opacity } of bars) {
    assert.equal(opacity === '0', fill.includes('undecided'), fill);
  }
});

test('keeps fifty sites legible and small', () => {
  const many = Array.from({ length: 50 }, (_, index) =>
    row(
      `www.some-site-${index}.example`,
      { estimate: index - 25, low: index - 30, high: index },
      'same',
    ),
  );
  const svg = chartOf(many);
  assert.ok(svg.length < 25_000, `${svg.length} bytes`);
  assert.match(svg, /viewBox="0 0 1040 1056"/);
});

test('renders markup in names as text, and does not fail without rows', () => {
  assert.doesNotMatch(chartOf([row(HOSTILE, null, 'undecided')]), /<script|<img|style=|NaN/);
  assert.doesNotMatch(chartOf([]), /NaN|undefined|Infinity/);
});
