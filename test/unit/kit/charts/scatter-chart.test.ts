import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scatterChart } from '../../../../kit/charts/scatter-chart.ts';
import { HOSTILE, STACKS } from './marks.ts';

const AXES = {
  x: { label: 'Objects', text: (count: number) => `${count} objects`, tickText: String },
  y: { label: 'Median time in ms', text: (valueMs: number) => `${valueMs.toFixed(1)} ms` },
};

test('each point is a sign of its stack, of another shape on another stack', () => {
  const points = STACKS.flatMap(({ arm }) => [
    { name: 'a.example', arm, x: 10, y: 120 },
    { name: 'b.example', arm, x: 90, y: 800 },
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

test('ratios have a line at 1 and the margin as a band; ticks have their own words', () => {
  const points = [{ name: 'a.example', arm: 'a', x: 20, y: 0.8 }];
  const ratios = { label: 'Ratio', text: (ratio: number) => ratio.toFixed(2) };
  const axes = { ...AXES, y: ratios, ratioMarginPercent: 5 };
  const svg = scatterChart(points, axes, STACKS, 'A chart').text;
  assert.match(svg, /var\(--band\)/);
  assert.match(svg, /<title>a\.example, A \(h3\): 20 objects, 0\.80</);
  assert.match(svg, />20<\/text>/);
  assert.doesNotMatch(scatterChart(points, AXES, STACKS, 'A chart').text, /var\(--band\)/);
});

test('nothing to show, and numbers of zero, do not fail; hostile names are text', () => {
  assert.doesNotMatch(scatterChart([], AXES, STACKS, 'A chart').text, /NaN|Infinity/);
  const points = [
    { name: HOSTILE, arm: 'a', x: 0, y: 1 },
    { name: HOSTILE, arm: 'a', x: 3, y: 1 },
  ];
  const svg = scatterChart(points, AXES, STACKS, 'A chart').text;
  assert.doesNotMatch(svg, /NaN|Infinity|<script|<img|style=/);
});
