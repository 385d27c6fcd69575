import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bytesText,
  countText,
  countWithNoun,
  decimalText,
  millisecondsText,
  momentText,
  rangeText,
} from '../../../../kit/text/number.ts';

test('writes durations with one decimal, grouped thousands, and a dash for a missing value', () => {
  assert.equal(millisecondsText(0), '0.0');
  assert.equal(millisecondsText(999.96), '1,000.0');
  assert.equal(millisecondsText(1234567.89), '1,234,567.9');
  assert.equal(millisecondsText(null), '–');
});

test('writes counts with singular or plural nouns', () => {
  assert.equal(countText(65536), '65,536');
  assert.equal(countWithNoun(1, 'site'), '1 site');
  assert.equal(countWithNoun(0, 'site'), '0 sites');
});

test('omits insignificant decimals', () => {
  assert.equal(decimalText(30), '30');
  assert.equal(decimalText(0.5), '0.5');
  assert.equal(decimalText(1234.567), '1,234.57');
  assert.equal(decimalText(3.03, 1), '3');
});

test('writes sizes in a suitable unit', () => {
  assert.equal(bytesText(999), '999 B');
  assert.equal(bytesText(12_345), '12.3 kB');
  assert.equal(bytesText(999_960), '1.0 MB');
});

test('writes equal counts as one number and unequal ones as a span', () => {
  assert.equal(rangeText([5, 5]), '5');
  assert.equal(rangeText([5, 4, 5]), '4 to 5');
});

test('writes a moment to the minute in UTC, and anything else unchanged', () => {
  assert.equal(momentText('2026-11-20T10:00:59.123Z'), '2026-11-20 10:00 UTC');
  assert.equal(momentText('yesterday'), 'yesterday');
});
