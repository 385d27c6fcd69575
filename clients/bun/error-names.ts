/** What QUIC adds to the number of a TLS alert (RFC 9001, 4.8). */
export const CRYPTO_ERROR = 0x100;

/** Alerts of TLS (IANA, TLS Alerts). */
const ALERTS: Readonly<Record<number, string>> = {
  0: 'close_notify',
  10: 'unexpected_message',
  20: 'bad_record_mac',
  21: 'decryption_failed',
  22: 'record_overflow',
  30: 'decompression_failure',
  40: 'handshake_failure',
  41: 'no_certificate',
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
  60: 'export_restriction',
  70: 'protocol_version',
  71: 'insufficient_security',
  80: 'internal_error',
  86: 'inappropriate_fallback',
  90: 'user_canceled',
  100: 'no_renegotiation',
  109: 'missing_extension',
  110: 'unsupported_extension',
  111: 'certificate_unobtainable',
  112: 'unrecognized_name',
  113: 'bad_certificate_status_response',
  114: 'bad_certificate_hash_value',
  115: 'unknown_psk_identity',
  116: 'certificate_required',
  120: 'no_application_protocol',
  121: 'ech_required',
};

/** An alert by its name, or `alert_` and its number where it has none. */
export function alertName(number: number): string {
  return ALERTS[number] ?? `alert_${number}`;
}

/** Errors of QUIC's transport (RFC 9000, 20.1; RFC 9368). */
export const TRANSPORT_ERRORS: Readonly<Record<number, string>> = {
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
  17: 'VERSION_NEGOTIATION_ERROR',
};
