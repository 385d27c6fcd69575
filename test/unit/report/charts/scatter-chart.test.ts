import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scatterChart } from '../../../../report/charts/scatter-chart.ts';
import { HOSTILE, STACKS } from './marks.ts';

const AXES = {
  size: 'objects',
  value: 'median',
  marginPercent: 5,
  measured: 'page load time',
} as const;

test('each site is a sign for each stack, of another shape on another stack', () => {
  const points = STACKS.flatMap(({ arm }) => [
    { subject: 'a.example', arm, size: 10, value: 120 },
    { subject: 'b.example', arm, size: 90, value: 800 },
  ]);
  const svg = scatterChart(points, AXES, STACKS, 'A chart').text;
  assert.equal(svg.match(/<title>a\.example, /g)?.length, 2);
  assert.match(svg, /<title>b\.example, B \(h2\): 90 objects, 800\.0 ms</);
  const shapes = new Set(
    [...svg.matchAll(/<(circle|path) [^>]*><title>/g)].map(([shape]) =>
      shape.replace(/transform="[^"]+"|c[xy]="[^"]+"/g, ''),
    ),
  );
  assert.equal(shapes.size, 2);
});

test('ratios have a line at 1 and the margin as a band; sizes in bytes have units', () => {
  const points = [{ subject: 'a.example', arm: 'a', size: 2_500_000, value: 0.8 }];
  const svg = scatterChart(
    points,
    { ...AXES, size: 'bytes', value: 'ratio' },
    STACKS,
    'A chart',
  ).text;
  assert.match(svg, /var\(--band\)/);
  assert.match(svg, /<title>a\.example, A \(h3\): 2\.5 MB, 0\.80</);
});

test('nothing to show, and sizes of zero, do not fail; hostile names are text', () => {
  assert.doesNotMatch(scatterChart([], AXES, STACKS, 'A chart').text, /NaN|Infinity/);
  const points = [
    { subject: HOSTILE, arm: 'a', size: 0, value: 1 },
    { subject: HOSTILE, arm: 'a', size: 3, value: 1 },
  ];
  const svg = scatterChart(points, AXES, STACKS, 'A chart').text;
  assert.doesNotMatch(svg, /NaN|Infinity|<script|<img|style=/);
});
