import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConnectionFailure,
  certificateFailure,
  failureOfError,
  type Stage,
  timeoutFailure,
} from '../../failure.ts';

const TLS: Stage = { layer: 'tls', expected: 'a handshake' };
const QUIC: Stage = { layer: 'udp', expected: 'an answer' };

function errorWith(fields: object, message = ''): Error {
  return Object.assign(new Error(message), fields);
}

function quicError(type: string, code: number, reason?: string): Error {
  const fields = { code: `ERR_QUIC_${type.toUpperCase()}_ERROR`, type, errorCode: BigInt(code) };
  return errorWith({ ...fields, reason });
}

test('gives an alert the same name by TLS and QUIC, at the TLS layer', () => {
  const byTls = errorWith(
    { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' },
    'error:1000042e:SSL routines:OPENSSL_internal:TLSV1_ALERT_PROTOCOL_VERSION',
  );
  for (const [error, stage] of [
    [byTls, TLS],
    [quicError('transport', 0x100 + 70), QUIC],
  ] as const) {
    const { layer, code, reason } = failureOfError(error, stage);
    assert.deepEqual([layer, code], ['tls', 'protocol_version']);
    assert.equal(reason, `Expected ${stage.expected}, got the alert protocol_version.`);
  }
});

test('keeps the name of what TLS itself detects', () => {
  const error = errorWith(
    { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    'error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER',
  );
  const { layer, code } = failureOfError(error, TLS);
  assert.deepEqual([layer, code], ['tls', 'WRONG_VERSION_NUMBER']);
});

test('names errors of QUIC and HTTP as in their RFCs, and unknown ones by number', () => {
  for (const [error, expected] of [
    [quicError('transport', 0x2), ['quic', 'CONNECTION_REFUSED']],
    [quicError('transport', 0xa), ['quic', 'PROTOCOL_VIOLATION']],
    [quicError('transport', 0x1234), ['quic', '0x1234']],
    [quicError('application', 0x10b), ['http', 'H3_REQUEST_REJECTED']],
    [quicError('application', 0x1), ['http', '0x1']],
    [
      errorWith({ code: 'ERR_QUIC_STREAM_RESET' }, 'reset by the peer with error code 258'),
      ['http', 'H3_INTERNAL_ERROR'],
    ],
    [
      errorWith({}, 'Stream closed with error code NGHTTP2_REFUSED_STREAM'),
      ['http', 'REFUSED_STREAM'],
    ],
    [errorWith({}, 'Session closed with error code 11'), ['http', 'ENHANCE_YOUR_CALM']],
  ] as const) {
    const { layer, code } = failureOfError(error, QUIC);
    assert.deepEqual([layer, code], expected);
  }
});

test('includes the words of the peer in the reason', () => {
  const { reason } = failureOfError(quicError('transport', 0x2, 'too busy'), QUIC);
  assert.equal(reason, 'Expected an answer, got the error CONNECTION_REFUSED of QUIC (too busy).');
});

test('assigns system errors to the layer in which they happen, or to which they belong', () => {
  const layerOf = (code: string, stage: Stage) => failureOfError(errorWith({ code }), stage).layer;
  assert.equal(layerOf('ECONNREFUSED', { layer: 'tcp', expected: '' }), 'tcp');
  assert.equal(layerOf('ECONNRESET', TLS), 'tls');
  assert.equal(layerOf('ECONNRESET', { layer: 'http', expected: '' }), 'http');
  assert.equal(layerOf('ENETUNREACH', QUIC), 'udp');
  assert.equal(layerOf('EADDRNOTAVAIL', { layer: 'tcp', expected: '' }), 'client');
});

test("does not call an orderly end a reset, despite Node's name for it", () => {
  const message = 'Client network socket disconnected before secure TLS connection was established';
  assert.equal(failureOfError(errorWith({ code: 'ECONNRESET' }, message), TLS).code, 'closed');
});

test('reports an unknown error in its own words', () => {
  const { layer, code, reason } = failureOfError(new Error('odd'), TLS);
  assert.deepEqual([layer, code, reason], ['tls', 'failed', 'Expected a handshake, got odd.']);
});

test('keeps a failure that is already classified, and adds the time to a timeout', () => {
  const failure = timeoutFailure(TLS, 2500);
  assert.equal(failure.reason, 'Expected a handshake, got nothing within 2.5 s.');
  assert.equal(failureOfError(new ConnectionFailure(failure), QUIC), failure);
});

test('gives a wrong certificate one name, whichever library detects it', () => {
  assert.equal(
    certificateFailure('ERR_TLS_CERT_ALTNAME_INVALID', 'a.test').code,
    'HOSTNAME_MISMATCH',
  );
  const { layer, code, reason } = certificateFailure('CERT_HAS_EXPIRED', 'a.test');
  assert.deepEqual([layer, code], ['tls', 'CERT_HAS_EXPIRED']);
  assert.equal(
    reason,
    'Expected a certificate of a.test from a trusted authority, got one that has expired.',
  );
  assert.match(certificateFailure('NEW', 'a.test').reason, /got one with the error NEW/);
});
