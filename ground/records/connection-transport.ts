import type { Protocol } from './protocol.ts';
import * as s from './schema.ts';

export const CONNECTION_TRANSPORT_NAMES = ['quic', 'tls1.3', 'tls1.2', 'tcp'] as const;

export const connectionTransportSchema = s.oneOf(
  CONNECTION_TRANSPORT_NAMES,
  'Transport of a connection. quic: QUIC with HTTP/3; tls1.3, tls1.2: TCP with exactly this version of TLS; tcp: TCP without TLS.',
);

export type ConnectionTransport = s.Static<typeof connectionTransportSchema>;

/** Versions of HTTP for pages of the live web, as command-line values. */
export const HTTP_VERSION_NAMES = ['h3', 'h2', 'h1.1'] as const;

export type HttpVersion = (typeof HTTP_VERSION_NAMES)[number];

/** Default transport of a protocol; `h2+h3`: TLS 1.3, as in a browser without Alt-Svc. */
export function defaultTransport(protocol: Protocol): ConnectionTransport {
  return protocol === 'h3' ? 'quic' : 'tls1.3';
}

/** Labels for tables, and the HTTP version to request. */
export const CONNECTION_TRANSPORTS: Readonly<
  Record<ConnectionTransport, { label: string; protocol: Protocol }>
> = {
  quic: { label: 'QUIC', protocol: 'h3' },
  'tls1.3': { label: 'TLS 1.3', protocol: 'h2' },
  'tls1.2': { label: 'TLS 1.2', protocol: 'h2' },
  tcp: { label: 'TCP', protocol: 'http/1.1' },
};

export const PAGE_HTTP_VERSIONS: Readonly<
  Record<HttpVersion, { label: string; protocol: Protocol }>
> = {
  h3: { label: 'HTTP/3', protocol: 'h3' },
  h2: { label: 'HTTP/2', protocol: 'h2' },
  'h1.1': { label: 'HTTP/1.1', protocol: 'http/1.1' },
};
