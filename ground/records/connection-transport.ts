import type { Protocol } from './protocol.ts';
import * as s from './schema.ts';

export const CONNECTION_TRANSPORT_NAMES = ['quic', 'tls1.3', 'tls1.2', 'tcp'] as const;

export const connectionTransportSchema = s.oneOf(
  CONNECTION_TRANSPORT_NAMES,
  'What a connection is made by. quic: QUIC with HTTP/3; tls1.3, tls1.2: TCP and that version of TLS, exactly; tcp: TCP alone.',
);

/** What a connection is made by. */
export type ConnectionTransport = s.Static<typeof connectionTransportSchema>;

/** Versions of HTTP that a page of the live web is loaded by, as --via has them. */
export const HTTP_VERSION_NAMES = ['h3', 'h2', 'h1.1'] as const;

export type HttpVersion = (typeof HTTP_VERSION_NAMES)[number];

/** How a server of that protocol is asked unless something else is said; with a choice: as a browser that knows nothing of it does. */
export function defaultTransport(protocol: Protocol): ConnectionTransport {
  return protocol === 'h3' ? 'quic' : 'tls1.3';
}

/** What the ways are called in tables, and the protocol that is asked for on top. */
export const CONNECTION_TRANSPORTS: Readonly<
  Record<ConnectionTransport, { label: string; protocol: Protocol }>
> = {
  quic: { label: 'QUIC', protocol: 'h3' },
  'tls1.3': { label: 'TLS 1.3', protocol: 'h2' },
  'tls1.2': { label: 'TLS 1.2', protocol: 'h2' },
  tcp: { label: 'TCP', protocol: 'http/1.1' },
};

/** The same for pages. */
export const PAGE_HTTP_VERSIONS: Readonly<
  Record<HttpVersion, { label: string; protocol: Protocol }>
> = {
  h3: { label: 'HTTP/3', protocol: 'h3' },
  h2: { label: 'HTTP/2', protocol: 'h2' },
  'h1.1': { label: 'HTTP/1.1', protocol: 'http/1.1' },
};
