import names from './wire-names.json' with { type: 'json' };

/** Offset of TLS alerts among QUIC errors (RFC 9001, 4.8). */
const CRYPTO_ERROR = 0x100;

/** Errors of QUIC's transport (RFC 9000, 20.1; RFC 9368). */
export const TRANSPORT_ERRORS = byNumber(names.quicTransportErrors);

/** Errors of HTTP/3 (RFC 9114, 8.1; RFC 9204, 6; RFC 9297, 5.2). */
export const HTTP3_ERRORS = byNumber(names.http3Errors);

/** Errors of HTTP/2 (RFC 9113, 7). */
export const HTTP2_ERRORS = byNumber(names.http2Errors);

/** From IANA's registries; groups are spelled as in programs and browsers. */
const ALERTS = byNumber(names.tlsAlerts);
const CIPHERS = byNumber(names.tlsCipherSuites);
const GROUPS = byNumber(names.tlsGroups);

/** Name of a TLS alert; unknown: `alert_` and its number. */
export function alertName(number: number): string {
  return ALERTS[number] ?? `alert_${number}`;
}

/** TLS alert in a QUIC error; null: another error. */
export function alertOfQuicError(code: number): number | null {
  const alert = code - CRYPTO_ERROR;
  return alert >= 0 && alert <= 0xff ? alert : null;
}

/** TLS version of a version number in a hello. */
export function tlsVersionName(version: number): string {
  const minor = (version & 0xff) - 1;
  return minor === 0 ? 'TLS 1' : `TLS 1.${minor}`;
}

export function cipherSuiteName(suite: number): string {
  return CIPHERS[suite] ?? `suite 0x${suite.toString(16).padStart(4, '0')}`;
}

export function groupName(group: number): string {
  return GROUPS[group] ?? `group ${group}`;
}

function byNumber(table: Readonly<Record<string, string>>): Readonly<Record<number, string>> {
  return Object.fromEntries(Object.entries(table).map(([key, name]) => [Number(key), name]));
}
