import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable, wrapped } from '../../../../report/text/terminal.ts';

test('a text is broken at its blanks, and keeps the line feeds that it has', () => {
  assert.equal(wrapped('one two three\nfour', 8), 'one two\nthree\nfour');
  assert.equal(wrapped('one two', 7), 'one two');
});

test('a word that is wider than the terminal stays whole, so that it can be copied', () => {
  assert.equal(
    wrapped('see https://www.example.org/ here', 10),
    'see\nhttps://www.example.org/\nhere',
  );
});

test('what goes into a file is not broken', () => {
  assert.equal(wrapped('one two three', undefined), 'one two three');
});

test('nothing in a text steers the terminal, or turns its direction', () => {
  assert.equal(printable('a\u001b[2J\r\u202eb\u2028c é 測'), 'a?[2J??b?c é 測');
});
