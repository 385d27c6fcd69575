import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Share, shareChart } from '../../../../kit/charts/share-chart.ts';
import { HOSTILE, numbersOf } from './marks.ts';

const HALF: Share = { name: 'h3', hits: 5, n: 10, interval: { low: 0.25, high: 0.75 } };
const ALL: Share = { name: 'TLS 1.3', hits: 10, n: 10, interval: { low: 0.7, high: 1 } };
const UNKNOWN: Share = { name: 'Retry', hits: 0, n: 0, interval: null };

test('a bar is as long as its share, with its counts beside it', () => {
  const svg = shareChart([HALF, ALL], 'A chart').text;
  const [half = 0, all = 0] = numbersOf(svg, 'rect', 'width').toSorted((a, b) => a - b);
  assert.ok(Math.abs(all / half - 2) < 0.01, `${half} ${all}`);
  assert.match(svg, />5 of 10</);
  assert.match(svg, /aria-label="A chart"/);
});

test('a share of nothing has no bar, and says that it is not known', () => {
  const svg = shareChart([UNKNOWN], 'A chart').text;
  assert.doesNotMatch(svg, /<rect |NaN/);
  assert.match(svg, />not known</);
});

test('the chart has no style of its own, and markup in a name is text', () => {
  const svg = shareChart([{ ...HALF, name: HOSTILE }], 'A chart').text;
  assert.doesNotMatch(svg, /<style|style=/);
  assert.ok(!svg.includes(HOSTILE));
});
