import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyChart, isNearOne } from '../../../../kit/charts/history-chart.ts';

const ARM = { arm: 'a', label: 'A', place: 0 };

/** A chart of runs with these ratios, of which every one has a level from the third run on. */
function chartOf(ratios: readonly (number | null)[]) {
  const runs = ratios.map((ratio, place) => ({
    tick: `day ${place}`,
    name: `day ${place}, version ${place}`,
    ratio: ratio === null ? null : { estimate: ratio, low: ratio / 1.02, high: ratio * 1.02 },
  }));
  const levels = [
    { from: 0, to: 2, ratio: 1 },
    { from: 3, to: runs.length - 1, ratio: 1.1 },
  ];
  const marked = [{ run: 1, label: 'other kernel' }];
  const versions = [{ run: 3, label: 'server 2.0' }];
  return historyChart({ arm: ARM, runs, levels, marked, versions, marginPercent: 5 }, 'A history');
}

test('draws each run with its interval, levels, a line at each change and the marked runs', () => {
  const { text, charts } = chartOf([1, 1.01, null, 1.1, 1.11, 1.09]);
  assert.match(text, /aria-label="A history"/);
  assert.equal(text.match(/<title>A: day \d, version \d, \d/g)?.length, 5);
  assert.equal(text.match(/stroke-dasharray="6 3"/g)?.length, 1);
  assert.match(text, /<title>other kernel<\/title>/);
  assert.match(text, /<title>server 2\.0<\/title>/);
  const [chart] = charts;
  assert.deepEqual(chart?.data?.columns.slice(0, 3), ['Stack', 'Run', 'Ratio']);
  assert.deepEqual(chart?.data?.rows()[2]?.slice(0, 3), ['A', 'day 2, version 2', null]);
});

test('has few ticks for many runs', () => {
  const { text } = chartOf(new Array(300).fill(1));
  const ticks = text.match(/>day \d+</g) ?? [];
  assert.ok(ticks.length <= 9 && ticks.length >= 5, String(ticks.length));
});

test('shows the margin only if ratios come near it', () => {
  assert.match(chartOf([1.05, 1.3, 1.3, 1.3]).text, /var\(--band\)/);
  assert.doesNotMatch(chartOf([1.7, 1.8, 1.7, 1.9]).text, /var\(--band\)/);
  const near = (...estimates: number[]) =>
    isNearOne(estimates.map((estimate) => ({ estimate, low: null, high: null })));
  assert.deepEqual(
    [near(0.5, 2), near(0.5, 0.6), near(1.2, 3), near()],
    [true, false, false, false],
  );
});
