import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import {
  BodyTooLargeError,
  checkCoding,
  reencode,
} from '../../../../cache/importers/content-coding.ts';

const MOST = 1_000_000;

const CODINGS = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
] as const;

const text = Buffer.from('the same words, the same words, the same words');

test('a coding that the body is in is kept, and tells the decoded body', () => {
  for (const [coding, compress] of CODINGS) {
    const checked = checkCoding(coding, compress(text), MOST);
    assert.equal(checked.contentEncoding, coding);
    assert.deepEqual(Buffer.from(checked.decoded), text);
    assert.equal(checked.note, null);
  }
});

test('old and odd spellings of gzip are understood', () => {
  assert.equal(checkCoding(' X-GZIP ', gzipSync(text), MOST).contentEncoding, 'gzip');
});

test('a body that was saved decoded loses the coding, with a note', () => {
  const checked = checkCoding('gzip', text, MOST);
  assert.equal(checked.contentEncoding, null);
  assert.equal(checked.decoded, text);
  assert.match(checked.note ?? '', /gzip dropped/);
});

test('a damaged body loses the coding, with a note', () => {
  const damaged = gzipSync(text).subarray(0, 20);
  assert.match(checkCoding('gzip', damaged, MOST).note ?? '', /damaged/);
});

test('a coding nobody knows is dropped with a note, identity without one', () => {
  assert.match(checkCoding('pack200', text, MOST).note ?? '', /pack200 dropped/);
  assert.equal(checkCoding('identity', text, MOST).note, null);
  assert.equal(checkCoding(null, text, MOST).note, null);
});

test('a body that unpacks to more than it may is an error of its own, in every coding', () => {
  const zeros = Buffer.alloc(10_000);
  for (const [coding, compress] of CODINGS) {
    assert.throws(() => checkCoding(coding, compress(zeros), 9_999), BodyTooLargeError, coding);
    assert.equal(checkCoding(coding, compress(zeros), 10_000).decoded.length, 10_000);
  }
});

test('a decoded body is put into the coding again that the header names, the same each time', () => {
  for (const coding of ['gzip', 'br', 'zstd', 'deflate']) {
    const { contentEncoding, body, note } = reencode(coding, text);
    assert.equal(contentEncoding, coding);
    assert.equal(note, null);
    assert.deepEqual(Buffer.from(checkCoding(coding, body, MOST).decoded), text);
    assert.deepEqual(reencode(coding, text).body, body);
  }
});

test('without a coding, with none that is known, or without a body nothing is encoded', () => {
  for (const coding of [null, '', 'identity']) {
    assert.deepEqual(reencode(coding, text), { contentEncoding: null, body: text, note: null });
  }
  assert.equal(reencode('gzip', Buffer.alloc(0)).contentEncoding, null);
  assert.match(reencode('sdch\x1b', text).note ?? '', /content-encoding sdch\? dropped/);
});
