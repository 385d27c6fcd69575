import type { BrowserKind } from '../ground/browser-kind.ts';
import type { Host } from '../ground/options/hosts.ts';

/** An alternative service of an origin, from its Alt-Svc header (RFC 7838). */
interface Alternative {
  /** h3, h3-29, h2. */
  protocol: string;
  /** Empty: the origin's own. */
  host: string;
  port: number;
  /** How long a client may remember it, in s. */
  maxAgeS: number;
}

/** Lower ports are privileged. */
const FIRST_FREE_PORT = 1024;

/** Why a browser does not use an alternative for HTTP/3; null: it does. */
export function whyUnusable(
  { protocol, host, port, maxAgeS }: Alternative,
  origin: Host,
  browser: BrowserKind = 'chromium',
): string | null {
  if (protocol !== 'h3') return `is about ${protocol}`;
  if (maxAgeS === 0) return 'has ma=0: it expires at once';
  // Firefox goes to any port and host, if the certificate is for the origin.
  if (browser === 'firefox') return null;
  if (origin.port < FIRST_FREE_PORT && port >= FIRST_FREE_PORT) {
    return `names port ${port}, and Chromium does not switch from a port below ${FIRST_FREE_PORT} to one above`;
  }
  if (host !== '' && host !== origin.host) return `names another host, ${host}`;
  return null;
}

export function isUsable(alternative: Alternative, origin: Host, browser?: BrowserKind): boolean {
  return whyUnusable(alternative, origin, browser) === null;
}

/** Default of `ma` (RFC 7838, section 3.1). */
const MAX_AGE_S = 24 * 3600;

/** Alternatives of an Alt-Svc header, empty for `clear`. Skips entries that do not parse. */
export function readAltSvc(header: string): Alternative[] {
  const entries = header.matchAll(
    // Starts at a word boundary only, so that each word is scanned once.
    /(?<![^\s,;="])([^\s,;="]+)="([^"]*):(\d+)"((?:\s*;\s*[^\s,;=]+=(?:"[^"]*"|[^\s,;]*))*)/g,
  );
  return [...entries].map(([, protocol = '', host = '', port = '', parameters = '']) => ({
    protocol,
    host,
    port: Number(port),
    maxAgeS: Number(/;\s*ma="?(\d+)/.exec(parameters)?.[1] ?? MAX_AGE_S),
  }));
}
