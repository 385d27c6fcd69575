import type { FailureReason } from '../../ground/records/connection-attempt.ts';
import {
  alertName,
  alertOfQuicError,
  HTTP2_ERRORS,
  HTTP3_ERRORS,
  TRANSPORT_ERRORS,
} from '../../ground/records/wire-names.ts';

/** What a connection waits for, and the layer that would deliver it. */
export interface Stage {
  layer: FailureReason['layer'];
  /** Follows "Expected". */
  expected: string;
}

export class ConnectionFailure extends Error {
  readonly failure: FailureReason;

  constructor(failure: FailureReason) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** A failure of the current stage; `got` follows "got". */
export function failureOf({ layer, expected }: Stage, code: string, got: string): FailureReason {
  return { layer, code, reason: `Expected ${expected}, got ${got}.` };
}

/** Classifies a library's error by the stage in which it occurred. */
export function failureOfError(error: unknown, stage: Stage): FailureReason {
  if (error instanceof ConnectionFailure) return error.failure;
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  if (code.startsWith('ERR_QUIC_')) return quicFailure(error as QuicError, stage);
  const alert = alertOf(message);
  if (alert !== null) return alertFailure(alert, stage);
  const http2 = http2Error(message);
  if (http2) return failureOf({ ...stage, layer: 'http' }, http2, `the error ${http2} of HTTP/2`);
  // Node's message for a server that closed the connection without a reset.
  if (/disconnected before secure/.test(message)) return closedFailure(stage);
  const known = SYSTEM[code];
  if (known) return failureOf({ ...stage, ...known.layer }, code, known.got(stage));
  const openssl = /^ERR_SSL_(\w+)/.exec(code)?.[1];
  if (openssl) return failureOf({ ...stage, layer: 'tls' }, openssl, `what TLS calls ${openssl}`);
  return failureOf(stage, code || 'failed', message);
}

/** A certificate that `trust` does not accept; `code` is OpenSSL's name of the problem. */
export function certificateFailure(code: string, host: string): FailureReason {
  const name = SAME_CERTIFICATE_ERRORS[code] ?? code;
  const expected = `a certificate of ${host} from a trusted authority`;
  return failureOf(
    { layer: 'tls', expected },
    name,
    CERTIFICATES[name] ?? `one with the error ${name}`,
  );
}

/** The server closed the connection or stream cleanly before the awaited data came. */
export function closedFailure(stage: Stage): FailureReason {
  return failureOf(stage, 'closed', 'an end of the connection');
}

export function timeoutFailure(stage: Stage, timeoutMs: number): FailureReason {
  return failureOf(stage, 'timeout', `nothing within ${timeoutMs / 1000} s`);
}

interface QuicError extends Error {
  code: string;
  type?: 'transport' | 'application';
  errorCode?: bigint;
  reason?: string;
}

function quicFailure({ code, type, errorCode, reason, message }: QuicError, stage: Stage) {
  if (code === 'ERR_QUIC_CONNECTION_FAILED') {
    return failureOf({ ...stage, layer: 'client' }, 'no-socket', 'no socket: is its port in use?');
  }
  // Stream resets have their code only in the message.
  const number = Number(errorCode ?? /error code (\d+)$/.exec(message)?.[1]);
  if (Number.isNaN(number)) return failureOf(stage, code, message);
  const said = reason ? ` (${reason})` : '';
  if (type === 'application' || code === 'ERR_QUIC_STREAM_RESET') {
    const name = HTTP3_ERRORS[number] ?? hexadecimal(number);
    return failureOf({ ...stage, layer: 'http' }, name, `the error ${name} of HTTP/3${said}`);
  }
  const alert = alertOfQuicError(number);
  if (alert !== null) return alertFailure(alert, stage);
  const name = TRANSPORT_ERRORS[number] ?? hexadecimal(number);
  return failureOf({ ...stage, layer: 'quic' }, name, `the error ${name} of QUIC${said}`);
}

function alertFailure(number: number, stage: Stage): FailureReason {
  const name = alertName(number);
  return failureOf({ ...stage, layer: 'tls' }, name, `the alert ${name}`);
}

const ALERT_REASONS = 1000;

/** BoringSSL reports received alerts as reasons from 1000 on; null: not an alert. */
function alertOf(message: string): number | null {
  const packed = /^error:([0-9a-f]{8}):SSL routines/.exec(message)?.[1];
  if (packed === undefined) return null;
  const reason = Number.parseInt(packed, 16) & 0xfff;
  return reason >= ALERT_REASONS && reason < ALERT_REASONS + 256 ? reason - ALERT_REASONS : null;
}

/** The code is a name when a stream ended, a number when the connection ended. */
function http2Error(message: string): string | undefined {
  const said = /closed with error code (?:NGHTTP2_)?(\w+)/.exec(message)?.[1];
  return said === undefined ? undefined : (HTTP2_ERRORS[Number(said)] ?? said);
}

function hexadecimal(number: number): string {
  return `0x${number.toString(16)}`;
}

interface SystemError {
  /** Overrides the layer of the stage. */
  layer?: Pick<Stage, 'layer'>;
  got(stage: Stage): string;
}

const TCP = { layer: 'tcp' } as const;
const CLIENT = { layer: 'client' } as const;

const SYSTEM: Readonly<Record<string, SystemError>> = {
  ECONNREFUSED: { layer: TCP, got: () => 'a refusal: nothing listens there' },
  ECONNRESET: { got: () => 'a reset of the connection' },
  EPIPE: { got: () => 'an end of the connection' },
  ETIMEDOUT: { got: () => 'nothing in the time that the kernel waits' },
  ENETUNREACH: { got: () => 'no route to that network' },
  EHOSTUNREACH: { got: () => 'no route to that host' },
  EADDRINUSE: { layer: CLIENT, got: () => 'a local port that is in use' },
  EADDRNOTAVAIL: {
    layer: CLIENT,
    got: () => 'a local port or address that is in use or not there',
  },
  EACCES: { layer: CLIENT, got: () => 'no permission for that local port or address' },
};

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'one that has expired',
  CERT_NOT_YET_VALID: 'one that is not valid yet',
  CERT_SIGNATURE_FAILURE: 'one that its authority did not sign',
  CERT_REVOKED: 'one that was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'one that signed itself',
  HOSTNAME_MISMATCH: 'one for other names',
  SELF_SIGNED_CERT_IN_CHAIN: 'one of an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'one of an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'one of an authority that is not known',
};

/** Codes of node:tls that differ from those of node:quic. */
const SAME_CERTIFICATE_ERRORS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'HOSTNAME_MISMATCH',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
};
