import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceDomain } from '../../../../kit/charts/axis.ts';
import { distributionChart } from '../../../../kit/charts/distribution-chart.ts';
import { assertEach } from '../../assert-each.ts';
import { goldenCases } from '../../statistics/golden.ts';
import { cornersOf, elementsOf, STACKS } from './marks.ts';

const [a, b] = STACKS;
assert.ok(a && b);

test('draws a line for each stack that rises from nothing to all loads', () => {
  const svg = distributionChart(
    [
      { arm: a, values: [30, 10, 20] },
      { arm: b, values: [15, 25] },
    ],
    'A chart',
  ).text;
  const lines = elementsOf(svg, 'path').filter((path) => 'stroke-dasharray' in path);
  assertEach(lines, ({ stroke }) => stroke, ['var(--stack-1)', 'var(--stack-2)']);
  const corners = cornersOf(lines[0]?.d ?? '');
  const heights = [...new Set(corners.map(([, y]) => y))];
  assert.deepEqual(
    heights,
    heights.toSorted((low, high) => high - low),
  );
  // Three equal steps.
  const steps = heights.slice(1).map((y, index) => (heights[index] ?? 0) - y);
  assert.equal(steps.length, 3);
  assert.ok(Math.max(...steps) - Math.min(...steps) <= 0.5, `${steps}`);
});

test('has an even axis for the course of an attempt, however long it is', () => {
  const axisOf = (linear: boolean) =>
    distributionChart([{ arm: a, values: [10, 1000] }], 'A chart', { linear }).text;
  assert.match(axisOf(false), /logarithmic/);
  assert.doesNotMatch(axisOf(true), /logarithmic/);
});

test('distinguishes lines by their dashes, not by colour alone', () => {
  const svg = distributionChart(
    STACKS.map((arm) => ({ arm, values: [1, 2] })),
    'A chart',
  ).text;
  const dashes = elementsOf(svg, 'path').flatMap((path) => path['stroke-dasharray'] ?? []);
  assert.equal(new Set(dashes).size, 2);
});

test('has a logarithmic axis for times far apart, and only for these', () => {
  const text = (values: number[]) => distributionChart([{ arm: a, values }], 'A chart').text;
  assert.match(text([10, 2000]), /logarithmic/);
  assert.doesNotMatch(text([100, 200]), /logarithmic/);
  assert.doesNotMatch(text([0, 200]), /logarithmic|NaN|Infinity/);
});

test('does not fail on samples without loads, and keeps ten thousand loads small', () => {
  assert.doesNotMatch(distributionChart([{ arm: a, values: [] }], 'A chart').text, /NaN|Infinity/);
  const many = Array.from({ length: 10_000 }, (_, index) => 100 + index / 7);
  assert.ok(distributionChart([{ arm: a, values: many }], 'A chart').text.length < 12_000);
});

test('marks zero among differences, and puts failures and outliers at the ends of the axis', () => {
  const differencesMs = Array.from({ length: 200 }, (_, index) => index - 150);
  const values = [...differencesMs, -1e6, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const svg = distributionChart([{ arm: a, values }], 'A chart', { signed: true }).text;
  assert.doesNotMatch(svg, /NaN|Infinity|logarithmic/);
  assert.match(svg, />−100</);
  assert.equal(svg.match(/stroke-width="1\.5"/g)?.length, 1);
  const [line] = elementsOf(svg, 'path').filter((path) => 'stroke-dasharray' in path);
  const places = cornersOf(line?.d ?? '').map(([x]) => x);
  assert.ok(Math.min(...places) >= 0 && Math.max(...places) <= 1040);
});

test('draws dots on a pale line', () => {
  const svg = distributionChart(
    [a, { ...a, pale: true }].map((arm) => ({ arm, values: [1, 2] })),
    'A chart',
  ).text;
  const dashes = elementsOf(svg, 'path').flatMap((path) => path['stroke-dasharray'] ?? []);
  assert.equal(new Set(dashes).size, 2);
});

/** The plot area of a full-size chart, with the domain inside. */
const AREA = { left: 44, right: 1026, top: 28, bottom: 302 };

interface GoldenShares {
  values: number[];
  shares: { upTo: number; share: number }[];
}

test('draws the heights that NumPy counts, to half a pixel, for times and differences', () => {
  for (const { values, shares } of goldenCases<GoldenShares>('quantiles')) {
    for (const signed of [false, true]) {
      // Times are above zero; the axis of differences excludes the outermost few.
      const shift = signed ? 0 : 100;
      const shifted = values.map((value) => value + shift);
      const svg = distributionChart([{ arm: a, values: shifted }], 'A chart', { signed }).text;
      const [line] = elementsOf(svg, 'path').filter((path) => 'stroke-dasharray' in path);
      const corners = cornersOf(line?.d ?? '');
      const [low, high] = domainOf(shifted, signed);
      for (const { upTo, share } of shares) {
        const x = AREA.left + ((upTo + shift - low) / (high - low)) * (AREA.right - AREA.left);
        if (x <= AREA.left || x >= AREA.right) continue;
        const expected = AREA.bottom - share * (AREA.bottom - AREA.top);
        // Half a pixel to either side of x there may be a step.
        const around = [heightAt(corners, x - 0.5), heightAt(corners, x + 0.5)];
        assert.ok(
          Math.max(...around) >= expected - 0.5 && Math.min(...around) <= expected + 0.5,
          `${values.length} values up to ${upTo}: ${around}, expected ${expected}`,
        );
      }
    }
  }
});

/**
 * Ends of the axis: the numbers with 4 % of room, at least 1; differences with zero, and 1 % of
 * them at either end excluded.
 */
function domainOf(values: readonly number[], signed: boolean): [low: number, high: number] {
  const ends = signed ? differenceDomain(values) : [Math.min(...values), Math.max(...values)];
  const [low = 0, high = 0] = ends;
  const pad = Math.max(1, (high - low) * 0.04);
  return [low - pad, high + pad];
}

/** Height of a line at x. */
function heightAt(corners: readonly [x: number, y: number][], x: number): number {
  return corners.findLast(([cornerX]) => cornerX <= x)?.[1] ?? AREA.bottom;
}

test('leaves the line of a missing time below 100 % to the end of the axis, and begins a zero rate above 0 %', () => {
  const lineOf = (values: number[]) => {
    const svg = distributionChart([{ arm: a, values }], 'A chart').text;
    assert.doesNotMatch(svg, /NaN|Infinity/);
    const [line] = elementsOf(svg, 'path').filter((path) => 'stroke-dasharray' in path);
    return cornersOf(line?.d ?? '');
  };
  const failed = Number.POSITIVE_INFINITY;
  const [x, y] = lineOf([10, failed, 12, 11]).at(-1) ?? [];
  assert.equal(x, AREA.right);
  assert.equal(y, AREA.bottom - 0.75 * (AREA.bottom - AREA.top));
  const [[leftX, start] = [], [, first] = []] = lineOf([10, -failed, 12, 11]);
  assert.deepEqual([leftX, start], [AREA.left, AREA.bottom]);
  assert.equal(first, AREA.bottom - 0.25 * (AREA.bottom - AREA.top));
  assert.deepEqual(lineOf([failed, failed]), [
    [AREA.left, AREA.bottom],
    [AREA.right, AREA.bottom],
  ]);
});
