import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DifferenceRow, differenceChart } from '../../../../kit/charts/difference-chart.ts';
import { elementsOf, HOSTILE } from './marks.ts';

const ROWS: DifferenceRow[] = [
  { name: 'a.example', differences: [-40, -30, -20, 10], text: 'median −25.0 ms' },
  { name: 'b.example', differences: [5, Number.POSITIVE_INFINITY], text: 'median failed' },
];
const chartOf = (rows: readonly DifferenceRow[] = ROWS) =>
  differenceChart(rows, 'var(--stack-1)', 'Differences').text;

/** Positions of the dots of each row. */
function dotsOf(svg: string) {
  return elementsOf(svg, 'path')
    .filter(({ transform }) => !transform)
    .map(({ d }) =>
      [...(d ?? '').matchAll(/M(-?[\d.]+),(-?[\d.]+)Z/g)].map(([, x, y]) => [Number(x), Number(y)]),
    );
}

test('draws every pair as a dot at its difference, from top to bottom in the order made', () => {
  const [first = [], second] = dotsOf(chartOf());
  assert.equal(first.length, 4);
  assert.equal(second?.length, 1);
  const xs = first.map(([x]) => x ?? 0);
  const ys = first.map(([, y]) => y ?? 0);
  assert.deepEqual(
    ys,
    ys.toSorted((a, b) => a - b),
  );
  // 10 ms apart each, then 30.
  const [one = 0, two = 0, three = 0, four = 0] = xs;
  assert.ok(Math.abs(two - one - (three - two)) < 0.3);
  assert.ok(Math.abs((four - three) / (two - one) - 3) < 0.05);
});

test('marks zero even if no difference is near it', () => {
  const svg = chartOf([{ name: 'a', differences: [200, 210, 220], text: '' }]);
  assert.match(svg, />0</);
  assert.equal(svg.match(/stroke-width="1\.5"/g)?.length, 1);
});

test('draws a pair with one failure as a cross at the end of the axis, without a share in the drawn median', () => {
  const svg = chartOf();
  assert.doesNotMatch(svg, /NaN|Infinity/);
  const [cross, ...rest] = elementsOf(svg, 'path').filter(({ transform }) => transform);
  assert.ok(cross && rest.length === 0);
  const crossPx = Number(/\(([\d.]+),/.exec(cross.transform ?? '')?.[1]);
  const farthestPx = Math.max(...dotsOf(svg).flatMap((dots) => dots.map(([x]) => x ?? 0)));
  assert.ok(crossPx > farthestPx, `${crossPx}`);
  const medians = /<g [^>]*stroke-width="2\.5"[^>]*>(.*?)<\/g>/.exec(svg)?.[1] ?? '';
  assert.equal(elementsOf(medians, 'line').length, 1);
});

test('puts an outlier at the end, without flattening the rest', () => {
  const many = Array.from({ length: 200 }, (_, index) => index - 100);
  const [dots = []] = dotsOf(chartOf([{ name: 'a', differences: [...many, 1e6], text: '' }]));
  const xs = dots.map(([x]) => x ?? 0);
  assert.ok(Math.max(...xs) < 1100);
  assert.ok((xs[199] ?? 0) - (xs[0] ?? 0) > 400);
});

test('renders markup in names and texts as text, and does not fail without rows', () => {
  assert.doesNotMatch(
    chartOf([{ name: HOSTILE, differences: [1], text: HOSTILE }]),
    /<script|<img|style=/,
  );
  assert.doesNotMatch(chartOf([]), /NaN|undefined/);
});
