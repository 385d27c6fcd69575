import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import {
  logAxis,
  nameAxis,
  quantityAxis,
  ratioAxis,
  roundTicks,
  spacedTicks,
  zeroAxis,
} from '../../../../kit/charts/axis.ts';
import {
  crossings,
  lines,
  overTime,
  type Point,
  type Series,
  scatter,
  symbols,
  type XyChart,
  xyChart,
} from '../../../../kit/charts/xy-chart.ts';
import { assertEach } from '../../assert-each.ts';
import { HOSTILE, STACKS } from './marks.ts';

const drawn = (chart: XyChart) => xyChart(chart, 'A chart').text;
const [first, second] = STACKS;
assert.ok(first && second);

/** A chart of these series, both axes from zero. */
function linear(series: readonly Series[], marks: XyChart['marks']): XyChart {
  const all = series.flatMap(({ points }) => points);
  return {
    x: zeroAxis(
      all.map(({ x }) => x),
      { label: 'Loss in %', text: (percent) => `${percent} % loss` },
    ),
    y: quantityAxis(
      all.flatMap(({ y }) => y ?? []),
      { label: 'Start-up', unit: 'ms' },
    ),
    series,
    marks,
  };
}

/** The same with logarithmic axes. */
function logarithmic(series: readonly Series[], marks: XyChart['marks']): XyChart {
  const all = series.flatMap(({ points }) => points);
  return {
    x: logAxis(
      all.map(({ x }) => x),
      { label: 'Objects', text: (count) => `${count} objects`, tickText: String },
    ),
    y: logAxis(
      all.flatMap(({ y }) => y ?? []),
      { label: 'Time in ms', text: (valueMs) => `${valueMs.toFixed(1)} ms` },
    ),
    series,
    marks,
  };
}

test("draws a stack's sign at each point, its interval if any, and its own line", () => {
  const point = (x: number, y: number, spread: number | null): Point => ({
    x,
    y,
    low: spread === null ? null : y - spread,
    high: spread === null ? null : y + spread,
  });
  const text = drawn(
    linear(
      [
        { arm: first, points: [point(0, 100, 10), point(1, 110, 10), point(5, 130, null)] },
        { arm: second, points: [point(0, 100, 10), point(5, 400, 50)] },
      ],
      [lines, symbols],
    ),
  );
  const { document } = parseHTML(`<main>${text}</main>`);
  const titles = [...document.querySelectorAll('title')].map(({ textContent }) => textContent);
  assert.equal(titles.length, 5);
  assert.ok(titles.includes(`${second.label}: 5 % loss, 400.0 ms`), titles.join('; '));
  assert.equal(document.querySelectorAll('[stroke-width="1.5"] line').length, 4);
  const dashes = [...document.querySelectorAll('[stroke-dasharray]')];
  assert.ok(dashes.length > 0, 'colour is not the only difference');
  assert.doesNotMatch(text, /NaN|Infinity|style=/);
});

test('does not fail on zeros alone and without points, on any axis', () => {
  for (const points of [[], [{ x: 0, y: 0 }]]) {
    assert.doesNotMatch(drawn(linear([{ arm: first, points }], [lines, symbols])), /NaN|Infinity/);
  }
  const none = [{ arm: first, points: [] }];
  assert.doesNotMatch(drawn(logarithmic(none, [lines, symbols, scatter])), /NaN|Infinity/);
  assert.doesNotMatch(drawn(overTime(none, { label: 'Bytes' })), /NaN|Infinity/);
});

test('draws signs of different shapes per stack in a scatter chart, with the name of each point', () => {
  const points = [
    { name: 'a.example', x: 10, y: 120 },
    { name: HOSTILE, x: 90, y: 800 },
  ];
  const svg = drawn(
    logarithmic(
      STACKS.map((arm) => ({ arm, points })),
      [scatter],
    ),
  );
  assert.match(svg, /<title>a\.example, B \(h2\): 10 objects, 120\.0 ms</);
  assert.match(svg, />Objects \(logarithmic\)</);
  assert.doesNotMatch(svg, /<script|<img|style=/);
  const shapes = new Set(
    [...svg.matchAll(/<(circle|path) [^>]*><title>/g)].map(([shape]) =>
      shape.replace(/transform="[^"]+"|c[xy]="[^"]+"/g, ''),
    ),
  );
  assert.equal(shapes.size, 2);
});

test('draws a line at 1 and the margin as a band for ratios', () => {
  const series = [{ arm: first, points: [{ name: 'a.example', x: 20, y: 0.8 }] }];
  const plain = logarithmic(series, [scatter]);
  const svg = drawn({ ...plain, y: ratioAxis([{ estimate: 0.8, low: null, high: null }], 5) });
  assert.match(svg, /var\(--band\)/);
  assert.match(svg, /: 20 objects, 0\.80</);
  assert.doesNotMatch(drawn(plain), /var\(--band\)/);
});

test('joins the text of adjacent ticks, and draws a crossing as a line with its sentence', () => {
  assert.deepEqual(spacedTicks([1_000_000, 1100, 1000, 1000]), [1000, 1_000_000]);
  const points = [1000, 1_000_000].map((x) => ({ x, y: 1 }));
  const svg = drawn(
    logarithmic([{ arm: first, points }], [crossings([{ x: 5000, label: HOSTILE }]), lines]),
  );
  assert.match(svg, /<title>&lt;/);
  assert.doesNotMatch(svg, /<script|<img/);
});

test('has round ticks within a logarithmic axis', () => {
  assert.deepEqual(roundTicks(18, 600), [20, 50, 100, 200, 500]);
  assert.deepEqual(roundTicks(0.4, 30_000), [1, 10, 100, 1000, 10_000]);
});

test('leaves a gap in the line for a missing number', () => {
  const points = [10, 20, null, 30, 40].map((y, index) => ({ x: 100 * index, y }));
  const svg = drawn(overTime([{ arm: first, points }], { label: 'Bytes' }));
  const [, line] = /<path d="([^"]+)"/.exec(svg) ?? [];
  assert.equal(line?.match(/M/g)?.length, 2);
  assert.match(svg, /in ms</);
});

test('shows long times in seconds', () => {
  const points = [0, 30_000].map((x) => ({ x, y: x }));
  assert.match(drawn(overTime([{ arm: first, points }], { label: 'Bytes' })), /in s</);
});

test('draws spans above the lines, in the row of their stack, as wide as they are long', () => {
  const points = [0, 10_000].map((x) => ({ x, y: 5 }));
  const span = (from: number, to: number) => ({ from, to, title: 'stalled' });
  const text = drawn(
    overTime(
      [
        { arm: first, points, spans: [span(0, 2_000)] },
        { arm: second, points, spans: [span(5_000, 10_000)] },
      ],
      { label: 'Buffer' },
      { since: 'the beginning', untilMs: 20_000 },
    ),
  );
  const { document } = parseHTML(`<main>${text}</main>`);
  const bars = [...document.querySelectorAll('[stroke-width="5"] line')].map((bar) => {
    const [x1, x2, y1, y2] = ['x1', 'x2', 'y1', 'y2'].map((each) => Number(bar.getAttribute(each)));
    assert.equal(y1, y2);
    return Number(x2) - Number(x1);
  });
  assert.equal(bars.length, 2);
  assert.ok(Math.abs((bars[1] ?? 0) / (bars[0] ?? 1) - 2.5) < 0.01, bars.join(', '));
  assert.match(text, /Time since the beginning, in s/);
  const rows = [...document.querySelectorAll('[stroke-width="5"]')].map((row) =>
    row.getAttribute('transform'),
  );
  assert.notEqual(rows[0], rows[1]);
});

test('spaces names of an axis evenly, shortened without room, and whole in the numbers', () => {
  const names = ['cubic', HOSTILE, 'reno'];
  const points = names.map((_, place) => ({ x: place, y: 10 + place }));
  const chart = { ...linear([{ arm: first, points }], [symbols]), x: nameAxis('Control', names) };
  const { text, charts } = xyChart(chart, 'A chart');
  assert.match(text, />cubic<.*>reno</s);
  assert.ok(!text.includes(HOSTILE) && !text.includes('<script'));
  assertEach(charts[0]?.data?.rows(), ([, name]) => name, names);
  const many = nameAxis(
    'Lost packet',
    Array.from({ length: 40 }, (_, place) => `${place}`),
  );
  assert.ok((many.ticks as number[]).length <= 6);
});
