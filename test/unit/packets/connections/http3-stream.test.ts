import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Http3Stream } from '../../../../packets/connections/http3-stream.ts';
import { http3Frame, sumOf } from '../made-packets.ts';

/** HEADERS, bodies of 300 and 70 bytes with an unknown frame between them, and trailers. */
const RESPONSE = Buffer.concat([
  http3Frame(1, 50),
  http3Frame(0, 300),
  http3Frame(0x21, 9),
  http3Frame(0, 70),
  http3Frame(1, 10),
]);
const BODY_BYTES = 370;

function taken(pieces: readonly (readonly [offset: number, end: number])[]) {
  const stream = new Http3Stream();
  const bodyBytes = sumOf(
    pieces.map(([offset, end]) => stream.take(offset, RESPONSE.subarray(offset, end))),
  );
  return { stream, bodyBytes };
}

test('reads the same bodies and heads wherever packets cut the stream', () => {
  for (let pieceBytes = 1; pieceBytes <= RESPONSE.length; pieceBytes++) {
    const pieces = Array.from(
      { length: Math.ceil(RESPONSE.length / pieceBytes) },
      (_, index) => [index * pieceBytes, (index + 1) * pieceBytes] as const,
    );
    for (const order of [pieces, pieces.toReversed(), [...pieces, ...pieces]]) {
      const { stream, bodyBytes } = taken(order);
      assert.deepEqual([bodyBytes, stream.heads, stream.heldBytes], [BODY_BYTES, 2, 0]);
    }
  }
});

test('counts pieces that overlap once', () => {
  const { stream, bodyBytes } = taken([
    [40, 200],
    [150, 300],
    [0, 60],
    [20, 210],
    [250, RESPONSE.length],
  ]);
  assert.deepEqual([bodyBytes, stream.heads], [BODY_BYTES, 2]);
});

test('reads heads of frames with each length that a number can have', () => {
  for (const head of ['0005', '00' + '4005', '00' + '80000005', '4000' + 'c000000000000005']) {
    const stream = new Http3Stream();
    assert.equal(stream.take(0, Buffer.from(`${head}0102030405`, 'hex')), 5);
  }
});

test('counts what follows a gap that never closes as body once, with all that comes later', () => {
  const { stream, bodyBytes } = taken([
    [0, 100],
    [200, 300],
    [250, 350],
  ]);
  assert.deepEqual([bodyBytes, stream.heldBytes], [40, 200]);
  assert.equal(stream.giveUp(), 150);
  assert.equal(stream.heldBytes, 0);
  assert.equal(stream.take(200, RESPONSE.subarray(200, 360)), 10);
  assert.equal(stream.take(0, RESPONSE.subarray(0, 100)), 0);
});

test('reads no head from a stream that began before the capture', () => {
  const { stream, bodyBytes } = taken([[100, RESPONSE.length]]);
  assert.deepEqual([bodyBytes, stream.heads], [0, 0]);
});
