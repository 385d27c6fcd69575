import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Direction,
  possibleText,
  ratioIntervalWords,
  ratioWords,
} from '../../../../report/text/ratio-words.ts';

const TIME: Direction = { better: 'lower', words: ['faster', 'slower'] };

test('a ratio below 1 is so much less time, above 1 so much more', () => {
  assert.equal(ratioWords(0.918, TIME), '8.2 % faster');
  assert.equal(ratioWords(1.123, TIME), '12 % slower');
  assert.equal(ratioWords(1.0004, TIME), 'equally fast');
});

test('an interval names the smaller difference first and changes its word where it crosses 1', () => {
  const text = (low: number | null, high: number | null) =>
    ratioIntervalWords({ estimate: 1, low, high }, TIME);
  assert.equal(text(0.89, 0.95), '5 to 11 % faster');
  assert.equal(text(1.05, 1.11), '5 to 11 % slower');
  assert.equal(text(0.96, 1.06), '4 % faster to 6 % slower');
  assert.equal(text(0.95, 1), '5 % faster to equally fast');
  assert.equal(text(1, 1), 'no difference');
  assert.equal(text(null, null), null);
});

test('an interval without a limit to one side says so', () => {
  assert.equal(
    ratioIntervalWords({ estimate: 1.2, low: 1.05, high: null }, TIME),
    '5 % slower or worse',
  );
  assert.equal(
    ratioIntervalWords({ estimate: 0.8, low: null, high: 0.9 }, TIME),
    '10 % faster or better',
  );
  assert.equal(
    ratioIntervalWords({ estimate: 1, low: 0.9, high: null }, TIME),
    '10 % faster or worse',
  );
});

test('what an interval leaves open is a range, or everything beyond its one limit', () => {
  const text = (low: number | null, high: number | null) => {
    const ratio = { estimate: 1, low, high };
    return possibleText(ratio, ratioIntervalWords(ratio, TIME) ?? '');
  };
  assert.equal(text(0.96, 1.06), 'anything from 4 % faster to 6 % slower is possible');
  assert.equal(text(0.9, null), 'anything that is 10 % faster or worse is possible');
});

test('a metric is told in its own words, and where more is better the higher ratio is the better one', () => {
  const goodput: Direction = { better: 'higher', words: ['more', 'less'] };
  assert.equal(ratioWords(1.2, goodput), '20 % more');
  assert.equal(
    ratioIntervalWords({ estimate: 1, low: 0.9, high: 1.1 }, goodput),
    '10 % less to 10 % more',
  );
  assert.equal(ratioWords(1, goodput), 'equal');
});
