import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Direction,
  possibleText,
  ratioIntervalWords,
  ratioWords,
  worthText,
} from '../../../../kit/text/ratio-words.ts';

const TIME: Direction = { better: 'lower', words: ['faster', 'slower'] };
const PLT = { better: 'lower', unit: 'ms' } as const;
const GOODPUT = { better: 'higher', unit: 'kbps' } as const;

test('words a ratio below 1 as less time, above 1 as more', () => {
  assert.equal(ratioWords(0.918, TIME), '8.2 % faster');
  assert.equal(ratioWords(1.123, TIME), '12 % slower');
  assert.equal(ratioWords(1.0004, TIME), 'equally fast');
});

test('names the smaller difference of an interval first, and changes the word where it crosses 1', () => {
  const text = (low: number | null, high: number | null) =>
    ratioIntervalWords({ estimate: 1, low, high }, TIME);
  assert.equal(text(0.89, 0.95), '5 to 11 % faster');
  assert.equal(text(1.05, 1.11), '5 to 11 % slower');
  assert.equal(text(0.96, 1.06), '4 % faster to 6 % slower');
  assert.equal(text(0.95, 1), '5 % faster to equally fast');
  assert.equal(text(1, 1), 'no difference');
  assert.equal(text(null, null), null);
});

test('states a missing limit of an interval', () => {
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

test('words what an interval leaves open as a range, or as everything beyond its one limit', () => {
  const text = (low: number | null, high: number | null) => {
    const ratio = { estimate: 1, low, high };
    return possibleText(ratio, ratioIntervalWords(ratio, TIME) ?? '');
  };
  assert.equal(text(0.96, 1.06), 'anything from 4 % faster to 6 % slower');
  assert.equal(text(0.9, null), '10 % faster or worse');
});

test('words a metric in its own terms, with the higher ratio as better if more is better', () => {
  const goodput: Direction = { better: 'higher', words: ['more', 'less'] };
  assert.equal(ratioWords(1.2, goodput), '20 % more');
  assert.equal(
    ratioIntervalWords({ estimate: 1, low: 0.9, high: 1.1 }, goodput),
    '10 % less to 10 % more',
  );
  assert.equal(ratioWords(1, goodput), 'equal');
  const open = (low: number | null, high: number | null) =>
    ratioIntervalWords({ estimate: 1, low, high }, goodput);
  assert.equal(open(1.1, null), '10 % more or better');
  assert.equal(open(null, 0.9), '10 % less or worse');
});

test('words a difference as milliseconds saved or lost, on either side of the interval', () => {
  const wordsOf = (estimate: number, low: number | null, high: number | null) => {
    const { worth, interval } = worthText({ estimate, low, high }, PLT);
    return `${worth} (${interval})`;
  };
  assert.equal(wordsOf(-61.4, -83, -39.2), '61 ms saved (39 to 83)');
  assert.equal(wordsOf(5.24, 1.2, 12), '5.2 ms lost (1.2 to 12)');
  assert.equal(wordsOf(-3, -31, 12.3), '3 ms saved (12 lost to 31 saved)');
  assert.equal(wordsOf(0.02, 0, 0.04), '0 ms (0 to 0)');
  assert.equal(wordsOf(40, 12, null), '40 ms lost (12 lost or worse)');
  assert.equal(wordsOf(40, -12, null), '40 ms lost (12 saved or worse)');
  assert.equal(wordsOf(-40, null, -12), '40 ms saved (12 saved or better)');
  assert.equal(worthText({ estimate: 4, low: null, high: null }, PLT).interval, null);
});

test('words a difference without time as more or less in its unit, worse end first', () => {
  const wordsOf = (estimate: number, low: number | null, high: number | null) => {
    const { worth, interval } = worthText({ estimate, low, high }, GOODPUT);
    return `${worth} (${interval})`;
  };
  assert.equal(wordsOf(1200, 900, 1500), '1.20 Mbit/s more (900 kbit/s to 1.50 Mbit/s)');
  assert.equal(wordsOf(-80, -120, -40.04), '80.0 kbit/s less (40.0 kbit/s to 120 kbit/s)');
  assert.equal(wordsOf(300, -40, 700), '300 kbit/s more (40.0 kbit/s less to 700 kbit/s more)');
  assert.equal(wordsOf(-300, null, -40), '300 kbit/s less (40.0 kbit/s less or worse)');
  assert.equal(wordsOf(300, 40, null), '300 kbit/s more (40.0 kbit/s more or better)');
  const cost = { unit: 'nsPerByte', better: 'lower' } as const;
  assert.deepEqual(worthText({ estimate: -0.251, low: -0.5, high: -0.1 }, cost), {
    worth: '0.25 ns per byte less',
    interval: '0.1 to 0.5',
  });
});

test('omits an end that rounds to no difference', () => {
  assert.equal(ratioWords(1e12, TIME), 'more than 1,000 % slower');
  assert.equal(
    ratioIntervalWords({ estimate: 1, low: 0, high: 1e12 }, TIME),
    '100 % faster to more than 1,000 % slower',
  );
  assert.equal(
    ratioIntervalWords({ estimate: 24, low: 23, high: 25 }, TIME),
    'more than 1,000 % slower',
  );
});
