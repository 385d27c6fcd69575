import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfPiece } from '../../../../cache/dash/whole-piece.ts';

function box(type: string, body: Buffer, size = 8 + body.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const MDAT = box('mdat', Buffer.alloc(20));
const WIDE = Buffer.concat([
  box('mdat', Buffer.from('0000000000000014', 'hex'), 1),
  Buffer.alloc(4),
]);

/** EBML, Segment of unknown size or that of the whole video, and Tracks in it. */
const INIT = Buffer.from('1a45dfa381001853806701ffffffffffffff1654ae6b820000', 'hex');
const CLUSTER = Buffer.from('1f43b67584e7820000', 'hex');
const LIVE = Buffer.from('1f43b675ffe7820000', 'hex');

test('finds no problem in whole pieces of MP4 and WebM', () => {
  const moof = box('moof', Buffer.alloc(30));
  for (const bytes of [Buffer.concat([moof, MDAT]), WIDE, box('mdat', Buffer.alloc(9), 0)]) {
    assert.equal(problemOfPiece('video/mp4', bytes), null);
  }
  for (const bytes of [INIT, CLUSTER, LIVE, Buffer.concat([CLUSTER, CLUSTER])]) {
    assert.equal(problemOfPiece('audio/webm', bytes), null);
  }
});

test('reports a truncated piece', () => {
  for (const [mime, whole] of [
    ['video/mp4', MDAT],
    ['video/mp4', WIDE],
    ['video/webm', CLUSTER],
    ['video/webm', LIVE],
  ] as const) {
    // A cluster without a size is reported by its element; its own head alone is an empty cluster.
    const nothing = whole === LIVE ? [5] : [];
    for (let length = 1; length < whole.length; length++) {
      if (nothing.includes(length)) continue;
      assert.match(
        problemOfPiece(mime, whole.subarray(0, length)) ?? '',
        /^is truncated: it has \d+ bytes, and the part at byte \d+ continues/,
        `${mime}, ${length} of ${whole.length} bytes`,
      );
    }
  }
});

test('reports what is no video at all, and does not inspect other containers', () => {
  const page = Buffer.from('<html></html>');
  assert.match(problemOfPiece('video/mp4', page) ?? '', /^is not MP4, or is damaged: .* at byte 0/);
  assert.match(problemOfPiece('video/webm', Buffer.alloc(9)) ?? '', /^is not WebM, or is damaged/);
  assert.equal(problemOfPiece('audio/mpeg', page), null);
});
