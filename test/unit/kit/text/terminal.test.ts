import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratioBar, ratioBarLimit, ratioBarSides, wrapText } from '../../../../kit/text/terminal.ts';

test('wraps a text at its blanks, and keeps its line feeds', () => {
  assert.equal(wrapText('one two three\nfour', 8), 'one two\nthree\nfour');
  assert.equal(wrapText('one two', 7), 'one two');
});

test('keeps a word that is wider than the terminal whole, so that it can be copied', () => {
  assert.equal(
    wrapText('see https://www.example.org/ here', 10),
    'see\nhttps://www.example.org/\nhere',
  );
});

test('does not wrap text for a file', () => {
  assert.equal(wrapText('one two three', undefined), 'one two three');
});

/** Position of a character in a bar, from 0; the middle is 20. */
function placesOf(character: string, text: string): number[] {
  return [...text].flatMap((each, place) => (each === character ? [place] : []));
}

test('scales to the furthest interval, at least twice the margin, and at most a factor of 4', () => {
  const ratio = { estimate: 1, low: 0.5, high: 1.2 };
  assert.equal(ratioBarLimit([ratio, null], 5), 2);
  assert.equal(ratioBarLimit([{ estimate: 3, low: null, high: null }], 5), 3);
  assert.equal(ratioBarLimit([], 5), 1.05 ** 2);
  assert.equal(ratioBarLimit([{ estimate: 9, low: 1, high: 90 }], 5), 4);
});

test('centres 1 in a bar, with ratios on a logarithmic scale', () => {
  const most = 4;
  const one = ratioBar({ estimate: 1, low: 0.5, high: 2 }, most);
  assert.equal([...one].length, 41);
  assert.deepEqual(placesOf('●', one), [20]);
  assert.deepEqual(placesOf('─', one), [
    ...Array.from({ length: 10 }, (_, index) => 10 + index),
    ...Array.from({ length: 10 }, (_, index) => 21 + index),
  ]);
  const slower = ratioBar({ estimate: 2, low: 1.5, high: 3 }, most);
  assert.deepEqual(placesOf('●', slower), [30]);
  assert.deepEqual(placesOf('│', slower), [20]);
  const over = ratioBar({ estimate: 2, low: 0.9, high: 3 }, most);
  assert.deepEqual([placesOf('┼', over), placesOf('│', over)], [[20], []]);
});

test('ends an interval beyond the scale, or without a limit, in an arrow', () => {
  const most = 4;
  const beyond = ratioBar({ estimate: 1, low: 0.1, high: 9 }, most);
  assert.match(beyond, /^◄─+●─+►$/);
  assert.match(ratioBar({ estimate: 1, low: 0.5, high: null }, most), /^ +─+●─+►$/);
  assert.match(ratioBar({ estimate: 1, low: null, high: 2 }, most), /^◄─+●─+ +$/);
  // An end at the end of the scale is within it.
  assert.match(ratioBar({ estimate: 1, low: 0.25, high: 4 }, most), /^─+●─+$/);
});

test('shows only the estimate without an interval, and only the line at 1 without a ratio', () => {
  assert.equal(ratioBar({ estimate: 4, low: null, high: null }, 4).trim().length, 21);
  assert.match(ratioBar({ estimate: 4, low: null, high: null }, 4), /^ {20}│ {19}●$/);
  assert.equal(ratioBar(null, 4), `${' '.repeat(20)}│${' '.repeat(20)}`);
});

test('has a heading as wide as a bar, with its 1 above theirs', () => {
  assert.equal([...ratioBarSides('ms')].length, 41);
  assert.deepEqual(placesOf('1', ratioBarSides('ms')), [20]);
  assert.match(ratioBarSides('ms'), /^◄ less time .* more time ►$/);
});
