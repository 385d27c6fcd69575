import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stream } from '../../../../network/handshakes/reader.ts';

function beginningOf(...pieces: [offset: number, text: string][]): string {
  const stream = new Stream();
  for (const [offset, text] of pieces) stream.add(offset, Buffer.from(text), 0n);
  return stream.beginning().toString();
}

test('joins pieces in any order', () => {
  assert.equal(beginningOf([3, 'def'], [0, 'abc'], [6, 'g']), 'abcdefg');
});

test('keeps repeated and overlapping pieces once', () => {
  assert.equal(beginningOf([0, 'abc'], [0, 'abc'], [1, 'bcde'], [2, 'c']), 'abcde');
});

test('returns nothing behind a gap', () => {
  assert.equal(beginningOf([0, 'abc'], [4, 'e']), 'abc');
  assert.equal(beginningOf([1, 'b']), '');
});
