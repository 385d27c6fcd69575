import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationsOf } from '../../durations.ts';
import { EXCHANGE } from './exchanges.ts';

test('each part begins where the one before ends, and TCP’s own handshake is in the handshake', () => {
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

test('with TCP alone the client may send once it is connected', () => {
  const { handshakeMs, firstByteMs } = durationsOf('tcp', EXCHANGE);
  assert.deepEqual([handshakeMs, firstByteMs], [41, 63]);
});

test('the close ends when the later of the two ends is closed', () => {
  const server = (EXCHANGE.server ?? []).map((each) =>
    each.event === 'socketClose' ? { ...each, atMs: 300 } : each,
  );
  const { closeMs, totalMs } = durationsOf('tls', { ...EXCHANGE, server });
  assert.deepEqual([closeMs, totalMs], [132, 300]);
});

test('what only the server could tell is null where it did not', () => {
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
