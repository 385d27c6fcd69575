import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationsOf } from '../../durations.ts';
import { EXCHANGE } from './exchanges.ts';

test('begins each part at the end of the previous one, and includes TCP’s own handshake', () => {
  assert.deepEqual(durationsOf('tls', EXCHANGE), {
    handshakeMs: 83,
    firstByteMs: 21,
    transferMs: 21,
    closeMs: 41,
    totalMs: 209,
    reuseFirstByteMs: 20,
    reuseTransferMs: 21,
  });
});

test('lets a client of plain TCP send once it is connected', () => {
  const { handshakeMs, firstByteMs } = durationsOf('tcp', EXCHANGE);
  assert.deepEqual([handshakeMs, firstByteMs], [41, 63]);
});

test('ends the close when the later of the two ends is closed', () => {
  const server = (EXCHANGE.server ?? []).map((each) =>
    each.event === 'socketClose' ? { ...each, atMs: 300 } : each,
  );
  const { closeMs, totalMs } = durationsOf('tls', { ...EXCHANGE, server });
  assert.deepEqual([closeMs, totalMs], [132, 300]);
});

test('is null where only the server could report a time and did not', () => {
  assert.deepEqual(durationsOf('tls', { ...EXCHANGE, server: null }), {
    handshakeMs: 83,
    firstByteMs: null,
    transferMs: null,
    closeMs: null,
    totalMs: null,
    reuseFirstByteMs: null,
    reuseTransferMs: null,
  });
});
