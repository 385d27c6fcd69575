import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Forest,
  type ForestOptions,
  type ForestRow,
  forestChart,
} from '../../../../kit/charts/forest-chart.ts';
import { elementsOf, HOSTILE } from './marks.ts';

function row(name: string, ratio: ForestRow['ratio'], verdict: ForestRow['verdict']): ForestRow {
  return { name, ratio, difference: null, verdict };
}

const FOREST: Forest = {
  stackLabel: 'A (h3)',
  baselineLabel: 'B (h2)',
  rows: [
    row('a.example', { estimate: 0.8, low: 0.75, high: 0.86 }, 'faster'),
    row('b.example', { estimate: 1.2, low: 1.1, high: 1.3 }, 'slower'),
    row('c.example', { estimate: 1, low: 0.98, high: 1.02 }, 'same'),
    row('d.example', { estimate: 0.9, low: null, high: null }, 'undecided'),
    row('e.example', null, 'undecided'),
  ],
  pooled: {
    ...row('All 4 sites', { estimate: 0.95, low: 0.8, high: 1.1 }, 'undecided'),
    difference: { estimate: -61.24, low: -83, high: 4.5 },
  },
  metric: { phrase: 'page load time', unit: 'ms', better: 'lower', words: ['faster', 'slower'] },
  sites: 'sites',
  marginPercent: 5,
};
const chartOf = (change: Partial<Forest> = {}, options?: ForestOptions) =>
  forestChart({ ...FOREST, ...change }, 'A forest', options).text;

test('shows in each row its ratio, its interval and its verdict in words', () => {
  const svg = chartOf();
  for (const text of [
    '0.80 (0.75 to 0.86)',
    '1.20 (1.10 to 1.30)',
    '0.90, no interval',
    '0.95 (0.80 to 1.10)',
    '−61.2 (−83.0 to +4.5)',
  ]) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  for (const verdict of ['faster', 'slower', 'same', 'undecided']) {
    assert.ok(svg.includes(`>${verdict}<`), verdict);
  }
});

test('distinguishes verdicts by shape and colour', () => {
  const svg = chartOf();
  const symbols = [...svg.matchAll(/<path [^>]*d="(M[^"]+)"[^>]*><title>(\w\.example)/g)];
  assert.equal(symbols.length, 4);
  assert.equal(new Set(symbols.map(([, path]) => path)).size, 4);
  for (const verdict of ['faster', 'slower', 'same', 'undecided']) {
    assert.match(svg, new RegExp(`var\\(--verdict-${verdict}\\)`));
  }
});

test('draws only existing intervals, and the pooled one as a diamond of its width', () => {
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

test('ends a wide interval at the edge and keeps the rest readable', () => {
  const wild = row('w', { estimate: 50, low: 0.001, high: 4000 }, 'undecided');
  const svg = chartOf({ rows: [...FOREST.rows, wild] });
  assert.doesNotMatch(svg, /NaN|Infinity/);
  for (const [, x] of svg.matchAll(/ d="M(-?[\d.]+)/g))
    assert.ok(Number(x) > -20 && Number(x) < 1100, x);
  assert.match(svg, /50\.0 \(0\.00 to more than 1,000\)/);
});

test('draws an interval without a limit to the end of the axis into an arrow, with a label', () => {
  const rows = [
    row('a.example', { estimate: 1.2, low: 1.1, high: null }, 'slower'),
    row('b.example', { estimate: 0.9, low: null, high: 0.95 }, 'faster'),
  ];
  const pooled = row('All 2 sites', { estimate: 1.1, low: 1.05, high: null }, 'slower');
  const svg = chartOf({ rows, pooled });
  for (const text of ['1.20 (1.10 or more)', '0.90 (0.95 or less)', '1.10 (1.05 or more)']) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  assert.equal(svg.match(/>→</g)?.length, 2);
  assert.equal(svg.match(/>←</g)?.length, 1);
  assert.doesNotMatch(svg, /null|NaN|Infinity/);
  const group = /<g [^>]*stroke-width="2"[^>]*>(.*?)<\/g>/.exec(svg)?.[1] ?? '';
  assert.equal(group.match(/<path /g)?.length, 2);
});

test('names the verdict in a compact chart also without a ratio', () => {
  const failing = row('a.example', null, 'slower');
  const svg = chartOf({ rows: [failing], pooled: { ...failing, name: 'all' } }, { size: 'inline' });
  assert.equal(svg.match(/>no ratio, slower</g)?.length, 2);
  assert.doesNotMatch(svg, /NaN|undefined/);
});

test('gathers sites in one line, by their signs alone, above the diamond with its numbers', () => {
  const svg = chartOf({}, { size: 'inline', gathered: true });
  assert.ok(svg.includes('>each of 5 sites<'));
  assert.ok(svg.includes('>0.95 (0.80 to 1.10)<'));
  assert.ok(!svg.includes('>0.80 (0.75 to 0.86)<'));
  assert.doesNotMatch(svg, /stroke-width="2"/);
  const titles = [...svg.matchAll(/<title>(\w\.example): /g)].map(([, name]) => name);
  assert.equal(titles.length, 4);
});

test('uses one axis for charts that are compared', () => {
  const narrow = { rows: FOREST.rows.slice(2, 3), pooled: null };
  const ticks = (svg: string) => [...svg.matchAll(/>(\d\.\d\d)</g)].map(([, tick]) => tick);
  const besides = [{ estimate: 0.6, low: 0.55, high: 1.9 }];
  assert.ok(!ticks(chartOf(narrow)).includes('0.65'));
  assert.ok(ticks(chartOf(narrow, { besides })).includes('0.65'));
});

test('cuts no number, however long the longest of a column is', () => {
  const difference = { estimate: 1184, low: 1000, high: 11_366 };
  const svg = chartOf({ rows: [{ ...FOREST.rows[0], difference } as ForestRow], pooled: null });
  const columnOf = (text: string) =>
    Number(
      new RegExp(`translate\\((\\d+),[^>]*><text[^>]*>${text.replace(/[+()]/g, '\\$&')}<`).exec(
        svg,
      )?.[1],
    );
  const text = '+1,184 (+1,000 to +11,366)';
  assert.ok(columnOf(text) + 6.5 * text.length <= columnOf('faster'));
});

test('puts each name and number above its row on a phone', () => {
  const svg = chartOf({}, { size: 'phone' });
  assert.match(svg, /viewBox="0 0 308 /);
  for (const text of ['a.example', '0.80 (0.75 to 0.86)', 'All 4 sites'])
    assert.ok(svg.includes(`>${text}<`), text);
  assert.ok(!svg.includes('difference'));
});

test('renders markup in names and labels as text', () => {
  const rows = [row(HOSTILE, { estimate: 1, low: 0.9, high: 1.1 }, 'same')];
  const svg = chartOf({ rows, stackLabel: HOSTILE, baselineLabel: HOSTILE });
  assert.doesNotMatch(svg, /<script|<img|style=/);
});

test('does not fail without rows and without a pooled one', () => {
  assert.doesNotMatch(chartOf({ rows: [], pooled: null }), /NaN|undefined/);
});
