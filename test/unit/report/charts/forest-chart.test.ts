import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Forest, forestChart } from '../../../../report/charts/forest-chart.ts';
import { elementsOf, HOSTILE } from './marks.ts';

const FOREST: Forest = {
  stackLabel: 'A (h3)',
  baselineLabel: 'B (h2)',
  rows: [
    { name: 'a.example', ratio: { estimate: 0.8, low: 0.75, high: 0.86 }, verdict: 'faster' },
    { name: 'b.example', ratio: { estimate: 1.2, low: 1.1, high: 1.3 }, verdict: 'slower' },
    { name: 'c.example', ratio: { estimate: 1, low: 0.98, high: 1.02 }, verdict: 'same' },
    { name: 'd.example', ratio: { estimate: 0.9, low: null, high: null }, verdict: 'no verdict' },
    { name: 'e.example', ratio: null, verdict: 'no verdict' },
  ],
  pooled: {
    name: 'All 4 sites',
    ratio: { estimate: 0.95, low: 0.8, high: 1.1 },
    verdict: 'cannot tell',
  },
  marginPercent: 5,
};
const chartOf = (change: Partial<Forest> = {}) =>
  forestChart({ ...FOREST, ...change }, 'A forest').text;

test('each row has its ratio, its interval and its verdict in words', () => {
  const svg = chartOf();
  for (const text of [
    '0.80 (0.75 to 0.86)',
    '1.20 (1.10 to 1.30)',
    '0.90, no interval',
    '0.95 (0.80 to 1.10)',
  ]) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  for (const verdict of ['faster', 'slower', 'same', 'cannot tell', 'no verdict']) {
    assert.ok(svg.includes(`>${verdict}<`), verdict);
  }
});

test('verdicts differ in shape and colour', () => {
  const svg = chartOf();
  const symbols = [...svg.matchAll(/<path [^>]*d="(M[^"]+)"[^>]*><title>(\w\.example)/g)];
  assert.equal(symbols.length, 4);
  assert.equal(new Set(symbols.map(([, path]) => path)).size, 4);
  for (const verdict of ['faster', 'slower', 'same', 'cannot-tell']) {
    assert.match(svg, new RegExp(`var\\(--verdict-${verdict}\\)`));
  }
});

test('only intervals that exist are drawn, and the pooled one is a diamond as wide as its interval', () => {
  const svg = chartOf();
  assert.equal(svg.match(/stroke-width="2"/g)?.length, 1);
  const group = /<g [^>]*stroke-width="2"[^>]*>(.*?)<\/g>/.exec(svg)?.[1] ?? '';
  assert.equal(group.match(/<path /g)?.length, 3);
  const diamond = elementsOf(svg, 'path').find(({ d }) =>
    /^M[^L]+L[^L]+L[^L]+L[^L]+Z$/.test(d ?? ''),
  );
  const [left = 0, middle = 0, right = 0] = [...(diamond?.d ?? '').matchAll(/[ML]([\d.]+),/g)].map(
    ([, x]) => Number(x),
  );
  assert.ok(right > left);
  // 0.8, 0.95 and 1.1 on a logarithmic axis.
  const place = (Math.log(0.95) - Math.log(0.8)) / (Math.log(1.1) - Math.log(0.8));
  assert.ok(Math.abs((middle - left) / (right - left) - place) < 0.01);
});

test('a wild interval ends at the edge and leaves the others readable', () => {
  const wild = {
    name: 'w',
    ratio: { estimate: 50, low: 0.001, high: 4000 },
    verdict: 'cannot tell' as const,
  };
  const svg = chartOf({ rows: [...FOREST.rows, wild] });
  assert.doesNotMatch(svg, /NaN|Infinity/);
  for (const [, x] of svg.matchAll(/ d="M(-?[\d.]+)/g))
    assert.ok(Number(x) > -20 && Number(x) < 1100, x);
  assert.match(svg, /50\.0 \(0\.00 to 4000\.0\)/);
});

test('markup in names and labels is text', () => {
  const rows = [
    { name: HOSTILE, ratio: { estimate: 1, low: 0.9, high: 1.1 }, verdict: 'same' as const },
  ];
  const svg = chartOf({ rows, stackLabel: HOSTILE, baselineLabel: HOSTILE });
  assert.doesNotMatch(svg, /<script|<img|style=/);
});

test('a chart without any row and without a pooled one does not fail', () => {
  assert.doesNotMatch(chartOf({ rows: [], pooled: null }), /NaN|undefined/);
});
