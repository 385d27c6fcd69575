import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOn } from '../../../../experiments/connect/verdict.ts';
import {
  type ConnectDetails,
  type FailureReason,
  NO_FACTS,
} from '../../../../records/connection-attempt.ts';

function asked(
  resumption: ConnectDetails['resumption'],
  facts: Partial<NonNullable<ConnectDetails['facts']>> = {},
) {
  return { resumption, facts: { ...NO_FACTS, ...facts } };
}

function failure(layer: FailureReason['layer'], code: string): FailureReason {
  return { layer, code, reason: 'something else was expected' };
}

test('a connection that was made as asked is ok', () => {
  for (const details of [
    asked('none'),
    asked('ticket', { resumed: true }),
    asked('early-data', { resumed: true, earlyData: 'accepted' }),
  ]) {
    assert.deepEqual(verdictOn(null, details), { outcome: 'ok', code: null, message: null });
  }
});

test('a ticket or early data that the server did not take is no resumed handshake', () => {
  const of = (details: Parameters<typeof verdictOn>[1]) => {
    const { outcome, code } = verdictOn(null, details);
    return [outcome, code];
  };
  assert.deepEqual(of(asked('ticket', { resumed: false })), ['invalid', 'not-resumed']);
  assert.deepEqual(of(asked('early-data', { resumed: true, earlyData: 'rejected' })), [
    'invalid',
    'early-data-rejected',
  ]);
});

test('a connection that agreed on another key exchange than asked for is invalid, where the client tells it', () => {
  const of = (group: string | null, ...asked: Parameters<typeof verdictOn>[2][]) =>
    verdictOn(null, { resumption: 'none', facts: { ...NO_FACTS, group } }, ...asked).code;
  assert.equal(of('X25519MLKEM768', 'x25519mlkem768'), null);
  assert.equal(of('X25519', 'x25519mlkem768'), 'wrong-key-exchange');
  assert.equal(of('X25519MLKEM768', 'x25519'), 'wrong-key-exchange');
  assert.equal(of(null, 'x25519'), null);
  assert.equal(of('P-256'), null);
});

test('what the other side cannot do at all is no failure of it', () => {
  for (const error of [
    failure('tls', 'protocol_version'),
    failure('dns', 'no-address'),
    failure('client', 'unsupported'),
    failure('quic', 'VERSION_NEGOTIATION'),
  ]) {
    assert.equal(verdictOn(error, asked('none')).outcome, 'unsupported', error.code);
  }
});

test('each failure says its layer, its code and its reason', () => {
  const of = (layer: FailureReason['layer'], word: string) =>
    verdictOn(failure(layer, word), asked('none'));
  assert.deepEqual(of('udp', 'timeout'), {
    outcome: 'failed',
    code: 'handshake-failed',
    message: 'udp, timeout: something else was expected',
  });
  assert.equal(of('dns', 'ENOTFOUND').code, 'lookup-failed');
  assert.equal(of('http', 'timeout').code, 'request-failed');
  assert.equal(of('client', 'EMFILE').code, 'client-failed');
});
