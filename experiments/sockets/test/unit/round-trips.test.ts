import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTripsOf } from '../../round-trips.ts';

const ONE = { messageBytes: 46, messages: 1 };

test('waits in a whole exchange for 2.5 round trips by QUIC, 4 by TLS and 3 by TCP', () => {
  for (const [protocol, total] of [
    ['quic', 2.5],
    ['tls', 4],
    ['tcp', 3],
  ] as const) {
    const { handshakeMs, firstByteMs, transferMs, closeMs, totalMs } = roundTripsOf(protocol, ONE);
    assert.equal(totalMs, total);
    const parts = [handshakeMs, firstByteMs, transferMs, closeMs];
    assert.equal(
      parts.reduce((sum: number, each) => sum + (each ?? Number.NaN), 0),
      total,
    );
  }
});

test('takes one round trip more for each further message', () => {
  assert.equal(roundTripsOf('tls', { ...ONE, messages: 3 }).totalMs, 6);
});

test('has no number for a message that does not leave at once', () => {
  const { transferMs, totalMs } = roundTripsOf('quic', { ...ONE, messageBytes: 1_000_000 });
  assert.deepEqual([transferMs, totalMs], [null, null]);
});
