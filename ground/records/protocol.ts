import * as s from './schema.ts';

export const protocolSchema = s.oneOf(
  ['h3', 'h2', 'h2+h3', 'http/1.1', 'http/1.0', 'quic', 'tls', 'tcp'],
  'In the words of httpVersion in HAR 1.2; h2+h3: both at one address, as the browser chooses; without HTTP: quic, tls (TLS 1.3 on TCP) or tcp (TCP alone).',
);

/** The protocol that an arm is to speak. */
export type Protocol = s.Static<typeof protocolSchema>;

/** Whether it goes over QUIC, and so over UDP; with a choice: where QUIC is chosen. */
export function isOverQuic(protocol: Protocol): boolean {
  return protocol === 'h3' || protocol === 'quic' || offersBoth(protocol);
}

/** Whether it goes over TCP; with a choice: where TCP is chosen. */
export function isOverTcp(protocol: Protocol): boolean {
  return !isOverQuic(protocol) || offersBoth(protocol);
}

/** Whether HTTP/2 and HTTP/3 are offered at one address, and whoever asks chooses one. */
export function offersBoth(protocol: Protocol): boolean {
  return protocol === 'h2+h3';
}

/** What QUIC and TCP have of something at an address with both, where they differ in it. */
export function bothText(overQuic: string | number, overTcp: string | number): string {
  return `QUIC ${overQuic}, TCP ${overTcp}`;
}

/** What QUIC and TLS agree on in place of a version of HTTP (ALPN). */
export const MESSAGE_ALPN = 'message';
