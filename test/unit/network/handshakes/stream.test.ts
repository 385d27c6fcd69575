import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stream } from '../../../../network/handshakes/reader.ts';

function beginningOf(...pieces: [offset: number, text: string][]): string {
  const stream = new Stream();
  for (const [offset, text] of pieces) stream.add(offset, Buffer.from(text), 0n);
  return stream.beginning().toString();
}

test('pieces are put together wherever they come', () => {
  assert.equal(beginningOf([3, 'def'], [0, 'abc'], [6, 'g']), 'abcdefg');
});

test('what comes twice or overlaps is there once', () => {
  assert.equal(beginningOf([0, 'abc'], [0, 'abc'], [1, 'bcde'], [2, 'c']), 'abcde');
});

test('nothing behind a gap is told', () => {
  assert.equal(beginningOf([0, 'abc'], [4, 'e']), 'abc');
  assert.equal(beginningOf([1, 'b']), '');
});
