import * as s from './schema.ts';

export const protocolSchema = s.oneOf(
  ['h3', 'h2', 'h2+h3', 'http/1.1', 'http/1.0', 'quic', 'tls', 'tcp'],
  'As httpVersion in HAR 1.2; h2+h3: both at one address, of which the browser chooses one; without HTTP: quic, tls (TLS 1.3 over TCP) or tcp (without TLS).',
);

/** Protocol of an arm. */
export type Protocol = s.Static<typeof protocolSchema>;

/** Whether a protocol uses QUIC, and so UDP, always or by choice of the client. */
export function isOverQuic(protocol: Protocol): boolean {
  return protocol === 'h3' || protocol === 'quic' || offersBoth(protocol);
}

/** Whether a protocol uses TCP, always or by choice of the client. */
export function isOverTcp(protocol: Protocol): boolean {
  return !isOverQuic(protocol) || offersBoth(protocol);
}

/** Whether one address offers HTTP/2 and HTTP/3, of which the client chooses one. */
export function offersBoth(protocol: Protocol): boolean {
  return protocol === 'h2+h3';
}

/** Whether a protocol is that of a socket alone. */
export function isWithoutHttp(protocol: Protocol): boolean {
  return ['quic', 'tls', 'tcp'].includes(protocol);
}

/** Whether a connection carries several requests at once, each on a stream of its own. */
export function hasStreams(protocol: Protocol): boolean {
  return isOverQuic(protocol) || protocol === 'h2';
}

/** Text of a property in which QUIC and TCP differ at one address. */
export function bothText(overQuic: string | number, overTcp: string | number): string {
  return `QUIC ${overQuic}, TCP ${overTcp}`;
}

/** ALPN of QUIC and TLS without HTTP. */
export const MESSAGE_ALPN = 'message';
