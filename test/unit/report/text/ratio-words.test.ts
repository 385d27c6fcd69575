import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  possibleText,
  ratioIntervalText,
  ratioText,
} from '../../../../report/text/ratio-words.ts';

test('a ratio below 1 is so much less time, above 1 so much more', () => {
  assert.equal(ratioText(0.918), '8.2 % faster');
  assert.equal(ratioText(1.123), '12 % slower');
  assert.equal(ratioText(1.0004), 'equally fast');
});

test('an interval names the smaller difference first and changes its word where it crosses 1', () => {
  const text = (low: number | null, high: number | null) =>
    ratioIntervalText({ estimate: 1, low, high });
  assert.equal(text(0.89, 0.95), '5 to 11 % faster');
  assert.equal(text(1.05, 1.11), '5 to 11 % slower');
  assert.equal(text(0.96, 1.06), '4 % faster to 6 % slower');
  assert.equal(text(0.95, 1), '5 % faster to equally fast');
  assert.equal(text(1, 1), 'no difference');
  assert.equal(text(null, null), null);
});

test('an interval without a limit to one side says so', () => {
  assert.equal(ratioIntervalText({ estimate: 1.2, low: 1.05, high: null }), '5 % slower or worse');
  assert.equal(ratioIntervalText({ estimate: 0.8, low: null, high: 0.9 }), '10 % faster or better');
  assert.equal(ratioIntervalText({ estimate: 1, low: 0.9, high: null }), '10 % faster or worse');
});

test('what an interval leaves open is a range, or everything beyond its one limit', () => {
  const text = (low: number | null, high: number | null) => {
    const ratio = { estimate: 1, low, high };
    return possibleText(ratio, ratioIntervalText(ratio) ?? '');
  };
  assert.equal(text(0.96, 1.06), 'anything from 4 % faster to 6 % slower is possible');
  assert.equal(text(0.9, null), 'anything that is 10 % faster or worse is possible');
});
