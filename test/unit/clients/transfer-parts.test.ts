import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransferRequest } from '../../../clients/transfer-client.ts';
import { splitTransfer } from '../../../clients/transfer-parts.ts';
import { assertEach } from '../assert-each.ts';

function partsOf(bytes: number, streams: number, direction: TransferRequest['direction']) {
  return splitTransfer({ bytes, streams, direction } as TransferRequest).parts;
}

test('makes parts equal but for a byte, consecutive, and complete', () => {
  assertEach(partsOf(10, 3, 'download'), ({ range, bytes, status }) => [range, bytes, status], [
    ['bytes=0-2', 3, 206],
    ['bytes=3-5', 3, 206],
    ['bytes=6-9', 4, 206],
  ]);
});

test('requests a whole file for one stream', () => {
  assert.deepEqual(partsOf(10, 1, 'download'), [
    { method: 'GET', range: null, bytes: 10, status: 200 },
  ]);
});

test('makes no empty request if there are fewer bytes than streams, but one for an empty file', () => {
  assertEach(partsOf(2, 5, 'upload'), ({ bytes }) => bytes, [1, 1]);
  for (const direction of ['download', 'upload'] as const) {
    const parts = partsOf(0, 5, direction);
    assertEach(parts, ({ bytes, range }) => [bytes, range], [[0, null]]);
  }
});
