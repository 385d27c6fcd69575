import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distributionChart, roundTicks } from '../../../../report/charts/distribution-chart.ts';
import { elementsOf, STACKS } from './marks.ts';

const [a, b] = STACKS;
assert.ok(a && b);

test('there is a line for each stack that rises from nothing to all loads', () => {
  const svg = distributionChart(
    [
      { arm: a, values: [30, 10, 20] },
      { arm: b, values: [15, 25] },
    ],
    'A chart',
  ).text;
  const lines = elementsOf(svg, 'path').filter((path) => 'stroke-dasharray' in path);
  assert.deepEqual(
    lines.map(({ stroke }) => stroke),
    ['var(--stack-1)', 'var(--stack-2)'],
  );
  const heights = [...(lines[0]?.d ?? '').matchAll(/[V,](-?[\d.]+)/g)].map(([, y]) => Number(y));
  assert.deepEqual(
    heights,
    heights.toSorted((low, high) => high - low),
  );
  // Three equal steps.
  const steps = heights.slice(1).map((y, index) => Math.round((heights[index] ?? 0) - y));
  assert.equal(steps.length, 3);
  assert.equal(new Set(steps).size, 1, `${steps}`);
});

test('the axis of the course of an attempt is even, however far it goes', () => {
  const axisOf = (linear: boolean) =>
    distributionChart([{ arm: a, values: [10, 1000] }], 'A chart', { linear }).text;
  assert.match(axisOf(false), /logarithmic/);
  assert.doesNotMatch(axisOf(true), /logarithmic/);
});

test('lines differ in their dashes, not in colour alone', () => {
  const svg = distributionChart(
    STACKS.map((arm) => ({ arm, values: [1, 2] })),
    'A chart',
  ).text;
  const dashes = elementsOf(svg, 'path').flatMap((path) => path['stroke-dasharray'] ?? []);
  assert.equal(new Set(dashes).size, 2);
});

test('times far apart get a logarithmic axis, and only these', () => {
  const text = (values: number[]) => distributionChart([{ arm: a, values }], 'A chart').text;
  assert.match(text([10, 2000]), /logarithmic/);
  assert.doesNotMatch(text([100, 200]), /logarithmic/);
  assert.doesNotMatch(text([0, 200]), /logarithmic|NaN|Infinity/);
});

test('samples without loads do not fail, and ten thousand loads stay small', () => {
  assert.doesNotMatch(distributionChart([{ arm: a, values: [] }], 'A chart').text, /NaN|Infinity/);
  const many = Array.from({ length: 10_000 }, (_, index) => 100 + index / 7);
  assert.ok(distributionChart([{ arm: a, values: many }], 'A chart').text.length < 40_000);
});

test('ticks of a logarithmic axis are round numbers within it', () => {
  assert.deepEqual(roundTicks(18, 600), [20, 50, 100, 200, 500]);
  assert.deepEqual(roundTicks(0.4, 30_000), [1, 10, 100, 1000, 10_000]);
});

test('differences have zero marked, and failures and wild pairs stand at the ends of the axis', () => {
  const differencesMs = Array.from({ length: 200 }, (_, index) => index - 150);
  const values = [...differencesMs, -1e6, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const svg = distributionChart([{ arm: a, values }], 'A chart', { signed: true }).text;
  assert.doesNotMatch(svg, /NaN|Infinity|logarithmic/);
  assert.match(svg, />−100</);
  assert.equal(svg.match(/stroke-width="1\.5"/g)?.length, 1);
  const [line] = elementsOf(svg, 'path').filter((path) => 'stroke-dasharray' in path);
  const places = [...(line?.d ?? '').matchAll(/[MH](-?[\d.]+)/g)].map(([, x]) => Number(x));
  assert.ok(Math.min(...places) >= 0 && Math.max(...places) <= 1040);
});

test('a pale line has dots of its own', () => {
  const svg = distributionChart(
    [a, { ...a, pale: true }].map((arm) => ({ arm, values: [1, 2] })),
    'A chart',
  ).text;
  const dashes = elementsOf(svg, 'path').flatMap((path) => path['stroke-dasharray'] ?? []);
  assert.equal(new Set(dashes).size, 2);
});
