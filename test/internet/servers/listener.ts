import type { Identity } from '../certificates.ts';
import type { NameAnswer, TcpBehaviour, UdpBehaviour } from '../kinds.ts';

/** A host that a server answers for. */
export interface ServedHost {
  name: string;
  altSvc: string | null;
  images: readonly string[];
  redirectsTo: string | null;
}

/** An address with a listener on port 443 and its hosts: at least one. */
export interface Listener<Behaviour> {
  address: string;
  behaviour: Behaviour;
  identity: Identity;
  hosts: readonly ServedHost[];
}

/** A name with data in the name server. */
export interface ServedName {
  name: string;
  answer: NameAnswer;
  addresses: readonly string[];
  httpsRecord: readonly string[] | null;
}

/** Configuration of the program for TCP, names and plain UDP. */
export interface PlainConfiguration {
  nameServer: string;
  names: readonly ServedName[];
  tcp: readonly Listener<TcpBehaviour>[];
  udp: readonly Listener<UdpBehaviour>[];
}

/** Configuration of the programs for QUIC. */
export interface QuicConfiguration {
  udp: readonly Listener<UdpBehaviour>[];
}

/** A query to the name server. */
export interface DnsQuestion {
  name: string;
  /** A, AAAA, HTTPS ... */
  type: string;
}

export const PORT = 443;

/** A response, by any protocol. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Response of a listener's hosts: an image for an image's path, else the page, for every path. */
export function answerOf(
  hosts: readonly ServedHost[],
  authority: string,
  path: string,
  protocol: string,
): Answer {
  const name = authority.replace(/:\d+$/, '');
  const host = hosts.find((each) => each.name === name);
  const altSvc = host?.altSvc ?? null;
  const headers = { ...(altSvc !== null && { 'alt-svc': altSvc }) };
  if (path.endsWith('.svg')) {
    return { status: 200, headers: { ...headers, 'content-type': 'image/svg+xml' }, body: IMAGE };
  }
  const location = host?.redirectsTo ?? null;
  if (location !== null) return { status: 302, headers: { ...headers, location }, body: '' };
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/html' },
    body: pageOf(name, protocol, host?.images ?? []),
  };
}

const IMAGE = `<svg xmlns="http://www.w3.org/2000/svg"><!--${'.'.repeat(2000)}--></svg>`;

function pageOf(host: string, protocol: string, images: readonly string[]): string {
  const tags = images.map((url) => `<img src="${url.replace('*', () => `${Math.random()}`)}">`);
  return `<!doctype html><title>${host}</title><p>${host} over ${protocol}${tags.join('')}\n`;
}
