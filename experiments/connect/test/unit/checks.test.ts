import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConnectDetails,
  type FailureReason,
  NO_FACTS,
} from '../../../../ground/records/connection-attempt.ts';
import type { KeyExchange } from '../../../../ground/records/key-exchange.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { bindChecks, judgeAttempt } from '../../../checks.ts';
import { CHECKS, connectionFailure } from '../../checks.ts';

function judged(
  resumption: ConnectDetails['resumption'],
  facts: Partial<NonNullable<ConnectDetails['facts']>> = {},
  keyExchange: KeyExchange | null = null,
) {
  const details = { resumption, facts: { ...NO_FACTS, ...facts } };
  return judgeAttempt(
    bindChecks(CHECKS, { details }, { keyExchange }),
    { time: { longestStallMs: 0, clocksApartMs: 0 }, path: null },
    { network: NOTHING_ADDED },
  );
}

function failure(layer: FailureReason['layer'], code: string): FailureReason {
  return { layer, code, reason: 'something else was expected' };
}

test('accepts a connection with the requested resumption', () => {
  for (const judgement of [
    judged('none'),
    judged('ticket', { resumed: true }),
    judged('early-data', { resumed: true, earlyData: 'accepted' }),
  ]) {
    assert.deepEqual(judgement, { outcome: 'ok', code: null, message: null });
  }
});

test('does not count a rejected ticket or rejected early data as a resumed handshake', () => {
  const { outcome, code } = judged('ticket', { resumed: false });
  assert.deepEqual([outcome, code], ['invalid', 'not-resumed']);
  assert.equal(
    judged('early-data', { resumed: true, earlyData: 'rejected' }).code,
    'early-data-rejected',
  );
});

test('rejects another key exchange than the run’s if the client reports it', () => {
  const of = (group: string | null, expected?: KeyExchange) =>
    judged('none', { group }, expected).code;
  assert.equal(of('X25519MLKEM768', 'x25519mlkem768'), null);
  assert.equal(of('X25519', 'x25519mlkem768'), 'wrong-key-exchange');
  assert.equal(of('X25519MLKEM768', 'x25519'), 'wrong-key-exchange');
  assert.equal(of(null, 'x25519'), null);
  assert.equal(of('P-256'), null);
});

test('does not count a connection that the server does not support as a failure', () => {
  for (const error of [
    failure('tls', 'protocol_version'),
    failure('dns', 'no-address'),
    failure('client', 'unsupported'),
    failure('quic', 'VERSION_NEGOTIATION'),
  ]) {
    assert.equal(connectionFailure(error).outcome, 'unsupported', error.code);
  }
});

test('reports the layer, the code and the reason of each failure', () => {
  const of = (layer: FailureReason['layer'], word: string) =>
    connectionFailure(failure(layer, word));
  assert.deepEqual(of('udp', 'timeout'), {
    outcome: 'failed',
    code: 'handshake-failed',
    message: 'udp, timeout: something else was expected',
  });
  assert.equal(of('dns', 'ENOTFOUND').code, 'lookup-failed');
  assert.equal(of('http', 'timeout').code, 'request-failed');
  assert.equal(of('client', 'EMFILE').code, 'client-failed');
});
