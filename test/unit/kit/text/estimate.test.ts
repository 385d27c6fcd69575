import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateMarkup } from '../../../../kit/page/estimate.ts';
import {
  intervalText,
  keepUnitsTogether,
  probabilityText,
  ratioText,
} from '../../../../kit/text/estimate.ts';

test('shows a third decimal for ratios close to 1, and only these', () => {
  assert.deepEqual([0.8, 1, 0.998, 1.004, 1.006, 12.34].map(ratioText), [
    '0.80',
    '1.00',
    '0.998',
    '1.004',
    '1.01',
    '12.3',
  ]);
});

test('shows an interval below its number, and marks a missing one', () => {
  const text = (low: number | null, high: number | null) =>
    estimateMarkup({ estimate: 0.8, low, high }, ratioText).text;
  assert.equal(text(0.7, 0.9), '0.80<small>0.70 to 0.90</small>');
  assert.equal(text(null, null), '0.80<small>no interval</small>');
  assert.equal(text(0.8, 0.8), '0.80');
  assert.equal(estimateMarkup(null, ratioText).text, '–');
});

test('does not show small probabilities as zero', () => {
  assert.deepEqual([0.0004, 0.0312, 1, null].map(probabilityText), [
    '< 0.001',
    '0.031',
    '1.000',
    '–',
  ]);
});

test('breaks no line between a number and its unit', () => {
  assert.equal(
    keepUnitsTogether('8 % faster (5 to 11 %) at 30 ms, 3 msgs'),
    '8\u00a0% faster (5 to 11\u00a0%) at 30\u00a0ms, 3 msgs',
  );
});

test('marks an interval with one end, and one with none', () => {
  const text = (low: number | null, high: number | null) =>
    intervalText({ estimate: 1, low, high }, ratioText);
  assert.equal(text(0.75, 0.86), '0.75 to 0.86');
  assert.equal(text(1.1, null), '1.10 or more');
  assert.equal(text(null, 0.9), '0.90 or less');
  assert.equal(text(null, null), 'no interval');
  assert.match(
    estimateMarkup({ estimate: 1.2, low: 1.1, high: null }, ratioText).text,
    /1\.10 or more/,
  );
});
