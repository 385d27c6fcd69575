import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barChart } from '../../../../kit/charts/bar-chart.ts';
import { HOSTILE, numbersOf, STACKS } from './marks.ts';

const chartOf = (
  subjects: readonly string[],
  mean: (place: number) => number | null = (place) => 100 + 50 * place,
) =>
  barChart(
    subjects.flatMap((subject) =>
      STACKS.map(({ arm, place }) => ({ subject, arm, mean: mean(place) })),
    ),
    STACKS,
    'A chart',
    { phrase: 'page load time', unit: 'ms' },
  ).text;

test('draws a bar for each site and stack, as long as its mean from zero', () => {
  const svg = chartOf(['a.example', 'b.example']);
  const widths = numbersOf(svg, 'rect', 'width');
  assert.equal(widths.length, 4);
  const [shorter = 0, longer = 0] = widths
    .toSorted((a, b) => a - b)
    .filter((_, index) => index % 2 === 0);
  assert.ok(Math.abs(longer / shorter - 1.5) < 0.01, `${widths}`);
  assert.match(svg, /role="img"/);
  assert.match(svg, /aria-label="A chart"/);
});

test('shows a dash instead of a bar for a site without counted loads', () => {
  const svg = chartOf(['a.example'], () => null);
  assert.doesNotMatch(svg, /<rect /);
  assert.equal(svg.match(/>–</g)?.length, 2);
});

test('has neither style elements nor style attributes, which the policy of the page rejects', () => {
  assert.doesNotMatch(chartOf(['a.example']), /<style|style=/);
});

test('renders markup in a site name as text, also in tooltips', () => {
  const svg = chartOf([HOSTILE, 'b.example']);
  assert.doesNotMatch(svg, /<script|<img/);
  assert.match(svg, /&lt;script&gt;/);
});

test('shortens a long name and neutralizes text direction in names', () => {
  const svg = chartOf(['\u202eabc.example', 'a-very-long-name-of-a-site.example.org']);
  assert.match(svg, />abc\.example</);
  assert.match(svg, />a-very-long-name-of-a-site\.…</);
});

test('keeps thirty sites small and identical every time', () => {
  const subjects = Array.from({ length: 30 }, (_, index) => `www.some-site-${index}.example`);
  const svg = chartOf(subjects);
  assert.ok(svg.length < 40_000, `${svg.length} bytes`);
  assert.equal(svg, chartOf(subjects));
  assert.doesNotMatch(svg, /(?:x|y|width|height)="\d+\.\d{2,}/);
});
