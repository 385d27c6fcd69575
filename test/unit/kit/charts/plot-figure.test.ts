import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { logAxis, zeroAxis } from '../../../../kit/charts/axis.ts';
import { plotFigure } from '../../../../kit/charts/plot-figure.ts';
import {
  lines,
  type Point,
  scatter,
  symbols,
  type XyChart,
} from '../../../../kit/charts/xy-chart.ts';
import { HOSTILE, STACKS } from './marks.ts';

const SIZES: Point[] = [1, 2, 3].map((x) => ({ x, y: 10 * x, low: 9 * x, high: 11 * x }));

function panel(points: readonly Point[], label: string, marks: XyChart['marks']): XyChart {
  const axis = marks.includes(scatter) ? logAxis : zeroAxis;
  return {
    x: axis(
      points.map(({ x }) => x),
      { label: 'Size', text: (size) => `${size} kB` },
    ),
    y: axis(
      points.flatMap(({ y }) => y ?? []),
      { label },
    ),
    series: STACKS.map((arm) => ({ arm, points })),
    marks,
  };
}

function documentOf(panels: readonly XyChart[]) {
  const { text } = plotFigure({ name: HOSTILE, caption: null, panels });
  assert.doesNotMatch(text, /<script|<img|NaN/);
  return parseHTML(`<main>${text}</main>`).document;
}

const textsOf = (document: Document, selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());

test('has a legend, a text alternative and a table of all points with their intervals', () => {
  const document = documentOf([panel(SIZES, 'Time', [lines, symbols])]);
  assert.deepEqual(textsOf(document, '.legend li'), ['A (h3)', 'B (h2)']);
  const [chart] = document.querySelectorAll('svg[role="img"]');
  assert.match(chart?.getAttribute('aria-label') ?? '', /Time by Size; A \(h3\), B \(h2\)/);
  assert.deepEqual(textsOf(document, 'thead th'), ['Size', 'Time,A (h3)', 'Time,B (h2)']);
  assert.deepEqual(textsOf(document, 'tbody th'), ['1 kB', '2 kB', '3 kB']);
  assert.deepEqual(textsOf(document, 'tbody td').slice(0, 2), ['109 to 11', '109 to 11']);
});

test('has a row for each named point, and the numbers of all panels', () => {
  const points = SIZES.map(({ x, y }) => ({ x, y, name: `site ${x}` }));
  const document = documentOf([
    panel(points, 'Time', [scatter]),
    panel(points, 'Ratio', [scatter]),
  ]);
  assert.equal(document.querySelectorAll('svg[role="img"]').length, 2);
  assert.deepEqual(textsOf(document, 'tbody tr:first-child > *'), [
    'site 1',
    '1 kB',
    '10',
    '10',
    '10',
    '10',
  ]);
});

test('shows open numbers instead of a chart for points at one place', () => {
  const document = documentOf([panel(SIZES.slice(0, 1), 'Time', [lines, symbols])]);
  assert.equal(document.querySelector('svg'), null);
  assert.equal(document.querySelector('details'), null);
  assert.equal(document.querySelectorAll('tbody tr').length, 1);
});
