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

test('until the client may send, each protocol waits for its round trips: none, with a ticket, with early data', () => {
  assertEach(CONNECTION_TRANSPORT_NAMES, (transport) => until('maySendMs', transport), [
    [1, 1, 0],
    [2, 2, 1],
    [3, 2, null],
    [1, 1, 1],
  ]);
});

test('a client with False Start sends a round trip before a full handshake by TLS 1.2 is complete, and by no other way', () => {
  const early = (transport: ConnectionTransport, resumption: 'none' | 'ticket', instant: string) =>
    handshakeRoundTrips({ transport, resumption, startsEarly: true }, instant);
  assert.equal(early('tls1.2', 'none', 'maySendMs'), 2);
  assert.equal(early('tls1.2', 'none', 'completeMs'), 3);
  assert.equal(early('tls1.2', 'none', 'firstByteMs'), 3);
  assert.equal(early('tls1.2', 'ticket', 'maySendMs'), 2);
  assert.equal(early('tls1.3', 'none', 'maySendMs'), 2);
});

test('early data leaves before the handshake is complete, and completes it no sooner', () => {
  assert.deepEqual(until('completeMs', 'quic'), [1, 1, 1]);
  assert.deepEqual(until('completeMs', 'tcp'), [1, 1, 1]);
  assert.deepEqual(until('completeMs', 'tls1.3'), [2, 2, 2]);
  assert.deepEqual(until('completeMs', 'tls1.2'), [3, 2, null]);
});

test('what a protocol does not have, or does not say, has no number', () => {
  assert.deepEqual(until('tcpMs', 'quic'), [null, null, null]);
  assert.deepEqual(until('confirmedMs', 'tls1.3'), [null, null, null]);
  assert.deepEqual(until('totalMs', 'quic'), [null, null, null]);
});

test('confirmation and the first byte of an answer come a round trip later', () => {
  assert.deepEqual(until('confirmedMs', 'quic'), [2, 2, 2]);
  assert.deepEqual(until('firstByteMs', 'quic'), [2, 2, 1]);
  assert.deepEqual(until('firstByteMs', 'tls1.3'), [3, 3, 2]);
});

test('the QUIC of Google ends its handshake a round trip after the client may send', () => {
  const google = (instant: string) =>
    handshakeRoundTrips({ transport: 'quic', resumption: 'none', isGoogleQuic: true }, instant);
  assert.equal(google('maySendMs'), 1);
  assert.equal(google('completeMs'), 2);
  assert.equal(google('confirmedMs'), 2);
});
