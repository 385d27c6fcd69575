import { HTTP2_ERRORS, HTTP3_ERRORS } from '../../records/http-errors.ts';
import type { WireClose } from '../../records/packets.ts';

type Close = Pick<WireClose, 'layer' | 'code' | 'name' | 'isError'>;

/** An alert of TLS: close_notify and user_canceled end a connection in good order (RFC 8446, section 6). */
export function alertClose(code: number): Close {
  const name = ALERTS[code] ?? `alert ${code}`;
  return { layer: 'tls', code, name, isError: code !== 0 && code !== 90 };
}

/** CONNECTION_CLOSE of QUIC itself (RFC 9000, section 20.1); from 0x100 on the code holds an alert of TLS. */
export function quicClose(code: number): Close {
  const name =
    code >= 0x100 && code <= 0x1ff
      ? `CRYPTO_ERROR (${alertClose(code - 0x100).name})`
      : (QUIC_ERRORS[code] ?? `error 0x${code.toString(16)}`);
  return { layer: 'quic', code, name, isError: code !== 0 };
}

/** CONNECTION_CLOSE of what QUIC carries, which is taken for HTTP/3 (RFC 9114, section 8.1; RFC 9204, section 6). */
export function applicationClose(code: number): Close {
  // Some programs send 0 where HTTP/3 has a code of its own for a close in good order.
  const name = code === 0 ? 'no error' : (HTTP3_ERRORS[code] ?? `error 0x${code.toString(16)}`);
  return { layer: 'application', code, name, isError: code !== 0x100 && code !== 0 };
}

/** GOAWAY of HTTP/2, by which a side says that it takes no more requests, and why (RFC 9113, sections 6.8 and 7). */
export function goAwayClose(code: number): Close {
  const name = HTTP2_ERRORS[code] ?? `error 0x${code.toString(16)}`;
  return { layer: 'application', code, name: `GOAWAY (${name})`, isError: code !== 0 };
}

/** A reset of TCP: also how a browser ends a connection that it needs no longer. */
export function resetClose(): Close {
  return { layer: 'tcp', code: 0, name: 'RST', isError: true };
}

const ALERTS: Record<number, string> = {
  0: 'close_notify',
  10: 'unexpected_message',
  20: 'bad_record_mac',
  22: 'record_overflow',
  40: 'handshake_failure',
  42: 'bad_certificate',
  43: 'unsupported_certificate',
  44: 'certificate_revoked',
  45: 'certificate_expired',
  46: 'certificate_unknown',
  47: 'illegal_parameter',
  48: 'unknown_ca',
  49: 'access_denied',
  50: 'decode_error',
  51: 'decrypt_error',
  70: 'protocol_version',
  71: 'insufficient_security',
  80: 'internal_error',
  86: 'inappropriate_fallback',
  90: 'user_canceled',
  109: 'missing_extension',
  110: 'unsupported_extension',
  112: 'unrecognized_name',
  113: 'bad_certificate_status_response',
  115: 'unknown_psk_identity',
  116: 'certificate_required',
  120: 'no_application_protocol',
};

const QUIC_ERRORS: Record<number, string> = {
  0: 'NO_ERROR',
  1: 'INTERNAL_ERROR',
  2: 'CONNECTION_REFUSED',
  3: 'FLOW_CONTROL_ERROR',
  4: 'STREAM_LIMIT_ERROR',
  5: 'STREAM_STATE_ERROR',
  6: 'FINAL_SIZE_ERROR',
  7: 'FRAME_ENCODING_ERROR',
  8: 'TRANSPORT_PARAMETER_ERROR',
  9: 'CONNECTION_ID_LIMIT_ERROR',
  10: 'PROTOCOL_VIOLATION',
  11: 'INVALID_TOKEN',
  12: 'APPLICATION_ERROR',
  13: 'CRYPTO_BUFFER_EXCEEDED',
  14: 'KEY_UPDATE_ERROR',
  15: 'AEAD_LIMIT_REACHED',
  16: 'NO_VIABLE_PATH',
};
