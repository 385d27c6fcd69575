import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESUMPTIONS } from '../../../../ground/records/connection-attempt.ts';
import {
  CONNECTION_TRANSPORT_NAMES,
  type ConnectionTransport,
} from '../../../../ground/records/connection-transport.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { handshakeRoundTrips } from '../../handshake-round-trips.ts';

const until = (instant: string, transport: ConnectionTransport) =>
  RESUMPTIONS.map((resumption) => handshakeRoundTrips({ transport, resumption }, instant));

test("waits for each protocol's round trips until the client may send: full, with a ticket, with early data", () => {
  assertEach(CONNECTION_TRANSPORT_NAMES, (transport) => until('maySendMs', transport), [
    [1, 1, 0],
    [2, 2, 1],
    [3, 2, null],
    [1, 1, 1],
  ]);
});

test('sends a round trip before a full handshake by TLS 1.2 is complete with False Start, and with no other protocol', () => {
  const early = (transport: ConnectionTransport, resumption: 'none' | 'ticket', instant: string) =>
    handshakeRoundTrips({ transport, resumption, startsEarly: true }, instant);
  assert.equal(early('tls1.2', 'none', 'maySendMs'), 2);
  assert.equal(early('tls1.2', 'none', 'completeMs'), 3);
  assert.equal(early('tls1.2', 'none', 'firstByteMs'), 3);
  assert.equal(early('tls1.2', 'ticket', 'maySendMs'), 2);
  assert.equal(early('tls1.3', 'none', 'maySendMs'), 2);
});

test('sends early data before the handshake is complete, and completes it no sooner', () => {
  assert.deepEqual(until('completeMs', 'quic'), [1, 1, 1]);
  assert.deepEqual(until('completeMs', 'tcp'), [1, 1, 1]);
  assert.deepEqual(until('completeMs', 'tls1.3'), [2, 2, 2]);
  assert.deepEqual(until('completeMs', 'tls1.2'), [3, 2, null]);
});

test('has no number for what a protocol lacks or does not specify', () => {
  assert.deepEqual(until('tcpMs', 'quic'), [null, null, null]);
  assert.deepEqual(until('confirmedMs', 'tls1.3'), [null, null, null]);
  assert.deepEqual(until('totalMs', 'quic'), [null, null, null]);
});

test('has confirmation and the first byte of a response a round trip later', () => {
  assert.deepEqual(until('confirmedMs', 'quic'), [2, 2, 2]);
  assert.deepEqual(until('firstByteMs', 'quic'), [2, 2, 1]);
  assert.deepEqual(until('firstByteMs', 'tls1.3'), [3, 3, 2]);
});

test("ends the handshake of Google's QUIC a round trip after the client may send", () => {
  const google = (instant: string) =>
    handshakeRoundTrips({ transport: 'quic', resumption: 'none', isGoogleQuic: true }, instant);
  assert.equal(google('maySendMs'), 1);
  assert.equal(google('completeMs'), 2);
  assert.equal(google('confirmedMs'), 2);
});
