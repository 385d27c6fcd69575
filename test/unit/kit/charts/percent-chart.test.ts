import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PercentBar, percentChart } from '../../../../kit/charts/percent-chart.ts';
import { HOSTILE, numbersOf } from './marks.ts';

const bar = (name: string, percent: PercentBar['percent'], text: string): PercentBar => ({
  name,
  colour: 'var(--stack-1)',
  percent,
  text,
});
const HALF = bar('h3', { estimate: 50, low: 25, high: 75 }, '5 of 10');
const ALL = bar('TLS 1.3', { estimate: 100, low: 70, high: 100 }, '10 of 10');
const UNKNOWN = bar('Retry', null, 'not known');

test('draws a bar as long as its share, next to its counts', () => {
  const svg = percentChart([HALF, ALL], 'A chart').text;
  const [half = 0, all = 0] = numbersOf(svg, 'rect', 'width').toSorted((a, b) => a - b);
  assert.ok(Math.abs(all / half - 2) < 0.01, `${half} ${all}`);
  assert.match(svg, />5 of 10</);
  assert.match(svg, /aria-label="A chart"/);
});

test('draws no bar for a share of nothing, and calls it unknown', () => {
  const svg = percentChart([UNKNOWN], 'A chart').text;
  assert.doesNotMatch(svg, /<rect |NaN/);
  assert.match(svg, />not known</);
});

test('has no style of its own, and renders markup in a name as text', () => {
  const svg = percentChart([{ ...HALF, name: HOSTILE }], 'A chart').text;
  assert.doesNotMatch(svg, /<style|style=/);
  assert.ok(!svg.includes(HOSTILE));
});

test('draws equal shares as a line with its number', () => {
  const svg = percentChart([HALF, { ...HALF, name: 'h2' }], 'A chart', 40).text;
  assert.match(svg, />fair: 40 %</);
  assert.match(svg, /stroke-dasharray="5 4"/);
});
