import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOn } from '../../../../experiments/connect/verdict.ts';
import type { ConnectDetails, FailureReason } from '../../../../records/connection-attempt.ts';
import { NO_FACTS } from './no-facts.ts';

const OVER_PATH = { live: false };
const LIVE = { live: true };

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
    assert.deepEqual(verdictOn(null, details, LIVE), { outcome: 'ok', code: null, message: null });
  }
});

test('a ticket or early data that the server did not take is no resumed handshake', () => {
  const of = (details: Parameters<typeof verdictOn>[1]) => {
    const { outcome, code } = verdictOn(null, details, OVER_PATH);
    return [outcome, code];
  };
  assert.deepEqual(of(asked('ticket', { resumed: false })), ['invalid', 'not-resumed']);
  assert.deepEqual(of(asked('early-data', { resumed: true, earlyData: 'rejected' })), [
    'invalid',
    'early-data-rejected',
  ]);
});

test('what the other side cannot do at all is no failure of it', () => {
  for (const error of [
    failure('tls', 'protocol_version'),
    failure('dns', 'no-address'),
    failure('client', 'unsupported'),
    failure('quic', 'VERSION_NEGOTIATION'),
  ]) {
    assert.equal(verdictOn(error, asked('none'), LIVE).outcome, 'unsupported', error.code);
  }
});

test('each failure says its layer, its code and its reason; silence by UDP counts against local servers alone', () => {
  const silence = failure('udp', 'timeout');
  const { outcome, code, message } = verdictOn(silence, asked('none'), OVER_PATH);
  assert.deepEqual([outcome, code], ['failed', 'handshake-failed']);
  assert.equal(message, 'udp, timeout: something else was expected');
  assert.equal(verdictOn(silence, asked('none'), LIVE).code, 'no-answer');
  assert.equal(verdictOn(failure('dns', 'ENOTFOUND'), asked('none'), LIVE).code, 'lookup-failed');
  assert.equal(verdictOn(failure('http', 'timeout'), asked('none'), LIVE).code, 'request-failed');
  assert.equal(verdictOn(failure('client', 'EMFILE'), asked('none'), LIVE).code, 'client-failed');
});
