import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepChart } from '../../../../kit/charts/sweep-chart.ts';
import { elementsOf, HOSTILE, STACKS } from './marks.ts';

const WORDS = { measured: 'time', rttSource: 'as measured', models: [] };

const points = [0, 30, 100].map((rttMs) => ({ x: rttMs, y: 100 + 5 * rttMs }));

test('gives each stack its points, its line and its label', () => {
  const svg = sweepChart(
    STACKS.map((arm) => ({ arm, points, line: { interceptMs: 100, roundTrips: 5 } })),
    'A chart',
    WORDS,
  ).text;
  assert.equal(svg.match(/<title>A \(h3\): a round-trip time of 30 ms, 250\.0 ms</g)?.length, 1);
  assert.equal(svg.match(/>B \(h2\)</g)?.length, 1);
});

test('draws only the axes for a stack without a line and without medians', () => {
  const [arm] = STACKS;
  assert.ok(arm);
  const svg = sweepChart(
    [{ arm: { ...arm, label: HOSTILE }, points: [{ x: 0, y: null }], line: null }],
    'A chart',
    WORDS,
  ).text;
  assert.doesNotMatch(svg, /NaN|undefined|<circle|<script/);
});

test('begins lines of round trips at zero with labels, also where they leave the chart at its top', () => {
  const [arm] = STACKS;
  assert.ok(arm);
  const svg = sweepChart([{ arm, points, line: null }], 'A chart', {
    ...WORDS,
    models: [1, 50],
  }).text;
  assert.match(svg, />1 round trip</);
  assert.match(svg, />50 round trips</);
  const [first, second] = [
    ...svg.matchAll(/stroke="var\(--quiet\)"[^>]*><path d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)"/g),
  ].map(([, ...places]) => places.map(Number));
  assert.deepEqual(first?.slice(0, 2), second?.slice(0, 2));
  const steepness = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[] = []) => (y1 - y2) / (x2 - x1);
  assert.ok(Math.abs(steepness(second) / steepness(first) - 50) < 1);
});

test('draws a thousand points as one path, and is not flattened by an outlier', () => {
  const [arm] = STACKS;
  assert.ok(arm);
  const many = Array.from({ length: 1000 }, (_, index) => ({
    x: 1 + index / 10,
    y: 50 + index / 5,
  }));
  const wild = [...many, { x: 1e5, y: 1e6 }];
  const svg = sweepChart([{ arm, points: wild, line: null }], 'A chart', WORDS).text;
  assert.equal(svg.match(/<circle/g), null);
  const [dots] = elementsOf(svg, 'path').filter((path) => path['stroke-linecap'] === 'round');
  const places = [...(dots?.d ?? '').matchAll(/M(-?[\d.]+),(-?[\d.]+)h0/g)].map(([, x]) =>
    Number(x),
  );
  assert.equal(places.length, 1001);
  assert.ok((places[900] ?? 0) - (places[0] ?? 0) > 600);
  assert.ok(svg.length < 40_000, `${svg.length}`);
});
