import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepChart } from '../../../../report/charts/sweep-chart.ts';
import { HOSTILE, STACKS } from './marks.ts';

const points = [0, 30, 100].map((rttMs) => ({ rttMs, medianMs: 100 + 5 * rttMs }));

test('each stack has its points, its line and its label', () => {
  const svg = sweepChart(
    STACKS.map((arm) => ({ arm, points, line: { interceptMs: 100, roundTrips: 5 } })),
    [{ rttMs: 42, label: 'they meet' }],
    'A chart',
  ).text;
  assert.equal(svg.match(/<title>A \(h3\): 250\.0 ms at a round-trip time of 30 ms</g)?.length, 1);
  assert.equal(svg.match(/>B \(h2\)</g)?.length, 1);
  assert.match(svg, /<title>they meet</);
});

test('a stack without a line and without medians leaves nothing but the axes', () => {
  const [arm] = STACKS;
  assert.ok(arm);
  const svg = sweepChart(
    [{ arm: { ...arm, label: HOSTILE }, points: [{ rttMs: 0, medianMs: null }], line: null }],
    [],
    'A chart',
  ).text;
  assert.doesNotMatch(svg, /NaN|undefined|<circle|<script/);
});
