import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { type LossyPoint, lossChart } from '../../../../kit/charts/loss-chart.ts';
import { STACKS } from './marks.ts';

const MEASURED = { label: 'Start-up', phrase: 'start-up', unit: 'ms' } as const;

const point = (lossPercent: number, estimate: number, spread: number | null): LossyPoint => ({
  lossPercent,
  estimate,
  low: spread === null ? null : estimate - spread,
  high: spread === null ? null : estimate + spread,
});

test('each stack has a sign at each loss, an interval where there is one, and a line of its own', () => {
  const [first, second] = STACKS;
  assert.ok(first && second);
  const { text } = lossChart(
    [
      { arm: first, points: [point(0, 100, 10), point(1, 110, 10), point(5, 130, null)] },
      { arm: second, points: [point(0, 100, 10), point(5, 400, 50)] },
    ],
    MEASURED,
    'A chart',
  );
  const { document } = parseHTML(`<main>${text}</main>`);
  const titles = [...document.querySelectorAll('title')].map(({ textContent }) => textContent);
  assert.equal(titles.length, 5);
  assert.ok(titles.includes(`${second.label}, 5 % loss: 400.0 ms`), titles.join('; '));
  assert.equal(document.querySelectorAll('[stroke-width="1.5"] line').length, 4);
  const dashes = [...document.querySelectorAll('[stroke-dasharray]')];
  assert.ok(dashes.length > 0, 'colour is not the only difference');
  assert.doesNotMatch(text, /NaN|Infinity/);
});

test('nothing but zeros, and no point at all, are drawn without failing', () => {
  const [arm] = STACKS;
  assert.ok(arm);
  for (const points of [[], [point(0, 0, 0)]]) {
    assert.doesNotMatch(lossChart([{ arm, points }], MEASURED, 'A chart').text, /NaN|Infinity/);
  }
});
