import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { type LadderRow, ladderChart } from '../../../ladder/chart.ts';

function row(name: string, estimate: number | null, kind: LadderRow['kind'] = 'step'): LadderRow {
  const ratio =
    estimate === null ? null : { estimate, low: estimate * 0.95, high: estimate * 1.05 };
  return { name, kind, ratio, change: null, changeVerdict: null, note: null };
}

/** Left and right end of each bar, with its fill. */
function barsOf(rows: readonly LadderRow[]) {
  const { document } = parseHTML(ladderChart(rows, 'A chart').text);
  return [...document.querySelectorAll('rect')].map((bar) => {
    const [x, width] = ['x', 'width'].map((name) => Number(bar.getAttribute(name))) as [
      number,
      number,
    ];
    const fill = bar.getAttribute('fill') ?? bar.parentElement?.getAttribute('fill');
    return { left: x, right: x + width, fill };
  });
}

test('a bar begins where the step before ended, and the first and the answer begin at 1', () => {
  const rows = [row('0', 0.3), { ...row('1', 0.9), changeVerdict: 'higher' as const }];
  const bars = barsOf([...rows, row('The fair answer', 0.9, 'answer')]);
  const [first, answer, step] = bars;
  assert.equal(bars.length, 3);
  assert.ok(first && answer && step);
  assert.ok(Math.abs(first.right - answer.right) < 0.2, 'both end at 1');
  assert.ok(Math.abs(step.left - first.left) < 0.2, 'the step begins at 0.3');
  assert.ok(Math.abs(step.right - answer.left) < 0.2, 'the step ends at 0.9');
  assert.equal(step.fill, 'var(--verdict-slower)');
});

test('the same factor is the same length', () => {
  const [, ...steps] = barsOf([row('0', 0.2), row('1', 0.4), row('2', 0.8)]);
  const [one, two] = steps.map(({ left, right }) => right - left);
  assert.ok(Math.abs((one ?? 0) - (two ?? 1)) < 0.3);
});

test('what was not measured has no bar, nor has the change after it', () => {
  assert.equal(barsOf([row('0', 0.3), row('1', null), row('2', 0.9)]).length, 1);
  assert.match(ladderChart([row('0', null)], 'A chart').text, /not measured/);
});

test('wild ratios stay within the chart', () => {
  const rows = [row('0', 1e-9), row('1', 1e9)];
  for (const { left, right } of barsOf(rows)) assert.ok(left >= 0 && right <= 1040);
  assert.doesNotMatch(ladderChart(rows, 'A chart').text, /NaN|Infinity/);
});
