import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoadChart } from '../../../../report/html/chart.ts';
import { fixtureRun } from '../fixture-run.ts';

const { stacks } = fixtureRun().run;

function chartOf(sites: readonly string[]): string {
  const bars = sites.flatMap((site) =>
    stacks.map(({ stack, label }, index) => ({ site, stack, label, medianMs: 10 + index })),
  );
  const dots = bars.map(({ site, stack, label, medianMs }) => ({
    site,
    stack,
    label,
    pageLoadMs: medianMs + 1,
    repetition: 1,
  }));
  return pageLoadChart(bars, dots, stacks, 'A chart').text;
}

test('there is a bar for each site and stack and a dot for each load', () => {
  const svg = chartOf(['a.example', 'b.example']);
  assert.equal(svg.match(/<rect /g)?.length, 6);
  assert.equal(svg.match(/<circle /g)?.length, 6);
  assert.match(svg, /role="img"/);
  assert.match(svg, /aria-label="A chart"/);
});

test('the length of a bar is in proportion to its median', () => {
  const widths = [...chartOf(['a.example']).matchAll(/<rect [^>]*width="([\d.]+)"/g)].map((match) =>
    Number(match[1]),
  );
  assert.equal(widths.length, 3);
  for (const [index, width] of widths.entries()) {
    assert.ok(Math.abs(width / (widths[0] ?? 0) - (10 + index) / 10) < 0.001, String(widths));
  }
});

test('a site without an ok load on a stack has no bar there and says so', () => {
  const [stack] = stacks;
  assert.ok(stack);
  const bar = { site: 'a.example', stack: stack.stack, label: stack.label, medianMs: null };
  const svg = pageLoadChart([bar], [], stacks, 'A chart').text;
  assert.doesNotMatch(svg, /<rect /);
  assert.match(svg, /no ok load/);
});

test('markup in a site name is text, also in tooltips', () => {
  const svg = chartOf(['</title><script>x</script>', '"><img src=x onerror=y>']);
  assert.doesNotMatch(svg, /<script|<img/);
  assert.match(svg, /&lt;script&gt;/);
});

test('a long name is shortened and one that turns the direction of text does not', () => {
  const svg = chartOf(['\u202eabc.example', 'a-very-long-name-of-a-site.example.org']);
  assert.match(svg, />abc\.example</);
  assert.match(svg, />a-very-long-name-of-a-site\.…</);
});

test('numbers are short enough for many loads and the chart is the same every time', () => {
  const svg = chartOf(['a.example', 'b.example', 'c.example']);
  assert.doesNotMatch(svg, /(?:x|y|width|height)="\d+\.\d{3,}/);
  assert.equal(svg, chartOf(['a.example', 'b.example', 'c.example']));
});
