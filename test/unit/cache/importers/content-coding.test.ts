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

test('keeps a coding that the body has, and returns the decoded body', () => {
  for (const [coding, compress] of CODINGS) {
    const checked = checkCoding(coding, compress(text), MOST);
    assert.equal(checked.contentEncoding, coding);
    assert.deepEqual(Buffer.from(checked.decoded), text);
    assert.equal(checked.note, null);
  }
});

test('accepts old and odd spellings of gzip', () => {
  assert.equal(checkCoding(' X-GZIP ', gzipSync(text), MOST).contentEncoding, 'gzip');
});

test('removes the coding of a body that was saved decoded, with a note', () => {
  const checked = checkCoding('gzip', text, MOST);
  assert.equal(checked.contentEncoding, null);
  assert.equal(checked.decoded, text);
  assert.match(checked.note ?? '', /gzip dropped/);
});

test('removes the coding of a damaged body, with a note', () => {
  const damaged = gzipSync(text).subarray(0, 20);
  assert.match(checkCoding('gzip', damaged, MOST).note ?? '', /damaged/);
});

test('drops an unknown coding with a note, and identity without one', () => {
  assert.match(checkCoding('pack200', text, MOST).note ?? '', /pack200 dropped/);
  assert.equal(checkCoding('identity', text, MOST).note, null);
  assert.equal(checkCoding(null, text, MOST).note, null);
});

test('has a separate error for a body that unpacks beyond the limit, in every coding', () => {
  const zeros = Buffer.alloc(10_000);
  for (const [coding, compress] of CODINGS) {
    assert.throws(() => checkCoding(coding, compress(zeros), 9_999), BodyTooLargeError, coding);
    assert.equal(checkCoding(coding, compress(zeros), 10_000).decoded.length, 10_000);
  }
});

test('encodes a decoded body as its header declares, the same each time', () => {
  for (const coding of ['gzip', 'br', 'zstd', 'deflate']) {
    const { contentEncoding, body, note } = reencode(coding, text);
    assert.equal(contentEncoding, coding);
    assert.equal(note, null);
    assert.deepEqual(Buffer.from(checkCoding(coding, body, MOST).decoded), text);
    assert.deepEqual(reencode(coding, text).body, body);
  }
});

test('encodes nothing without a coding, with an unknown one, or without a body', () => {
  for (const coding of [null, '', 'identity']) {
    assert.deepEqual(reencode(coding, text), { contentEncoding: null, body: text, note: null });
  }
  assert.equal(reencode('gzip', Buffer.alloc(0)).contentEncoding, null);
  assert.match(reencode('sdch\x1b', text).note ?? '', /content-encoding sdch\? dropped/);
});
