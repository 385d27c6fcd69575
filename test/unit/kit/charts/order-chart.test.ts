import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrderedLoad, orderChart } from '../../../../kit/charts/order-chart.ts';
import { assertEach } from '../../assert-each.ts';
import { STACKS } from './marks.ts';

function loadsOf(
  count: number,
  state: (index: number) => OrderedLoad['state'] = () => 'counted',
): OrderedLoad[] {
  return Array.from({ length: count }, (_, index) => ({
    order: index + 1,
    arm: index % 2 === 0 ? 'a' : 'b',
    ratioToMedian: state(index) === 'not-ok' ? null : 1 + 0.1 * Math.sin(index),
    state: state(index),
  }));
}

const chartOf = (loads: readonly OrderedLoad[]) =>
  orderChart(loads, [{ first: 1, last: loads.length }], STACKS, 'A chart').text;

test('draws every load as a dot, and all dots of a stack in one path', () => {
  const svg = chartOf(loadsOf(41));
  const paths = [...svg.matchAll(/<path [^>]*d="(m[^"]+)"/g)].map(([, path]) => path ?? '');
  assertEach(paths, (path) => path.match(/h0/g)?.length, [21, 20]);
});

test('rings disturbed loads, draws excluded ones hollow, and failed ones as crosses', () => {
  // 5 counted, 4 disturbed, 3 excluded, 2 failed.
  const states = 'ccccc dddd lll ff'.replaceAll(' ', '');
  const names = { c: 'counted', d: 'disturbed', l: 'left-out', f: 'not-ok' } as const;
  const svg = chartOf(loadsOf(14, (index) => names[states[index] as keyof typeof names]));
  const count = (pattern: RegExp) => svg.match(pattern)?.length ?? 0;
  // Hollow ones are drawn twice: in their colour, and in the paper's over it.
  assert.equal(count(/h0/g), 5 + 4 + 2 * 3);
  assert.equal(count(/0 1 0 -?[\d.]+,0a/g), 4);
  assert.equal(count(/l6,6m0,-6l-6,6/g), 2);
});

test('keeps a load far from the median on the chart', () => {
  const wild = { order: 3, arm: 'a', ratioToMedian: 900, state: 'counted' } as const;
  const svg = chartOf([...loadsOf(2), wild]);
  assert.doesNotMatch(svg, /NaN|Infinity/);
  assert.match(svg, />4×</);
});

test('draws ten thousand loads in less than 300 kB', () => {
  const svg = chartOf(loadsOf(10_000));
  assert.ok(svg.length < 300_000, `${svg.length} bytes`);
});

test('draws an empty chart for a run without loads', () => {
  assert.doesNotMatch(chartOf([]), /NaN|undefined/);
});
