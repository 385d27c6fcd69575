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

test('there is a bar for each site and stack, as long as its mean from zero', () => {
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

test('a site without a load that counts has a dash instead of a bar', () => {
  const svg = chartOf(['a.example'], () => null);
  assert.doesNotMatch(svg, /<rect /);
  assert.equal(svg.match(/>–</g)?.length, 2);
});

test('charts have neither style elements nor style attributes, which the policy of the page refuses', () => {
  assert.doesNotMatch(chartOf(['a.example']), /<style|style=/);
});

test('markup in a site name is text, also in tooltips', () => {
  const svg = chartOf([HOSTILE, 'b.example']);
  assert.doesNotMatch(svg, /<script|<img/);
  assert.match(svg, /&lt;script&gt;/);
});

test('a long name is shortened and one that turns the direction of text does not', () => {
  const svg = chartOf(['\u202eabc.example', 'a-very-long-name-of-a-site.example.org']);
  assert.match(svg, />abc\.example</);
  assert.match(svg, />a-very-long-name-of-a-site\.…</);
});

test('thirty sites stay small and come out the same every time', () => {
  const subjects = Array.from({ length: 30 }, (_, index) => `www.some-site-${index}.example`);
  const svg = chartOf(subjects);
  assert.ok(svg.length < 40_000, `${svg.length} bytes`);
  assert.equal(svg, chartOf(subjects));
  assert.doesNotMatch(svg, /(?:x|y|width|height)="\d+\.\d{2,}/);
});
