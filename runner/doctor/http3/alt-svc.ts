/** Another way to reach an origin, as its Alt-Svc header names it (RFC 7838). */
export interface Alternative {
  /** h3, h3-29, h2. */
  protocol: string;
  /** Empty: the origin's own. */
  host: string;
  port: number;
  /** How long it may be remembered. */
  maxAgeS: number;
}

/** RFC 7838, section 3.1. */
const MAX_AGE_S = 24 * 3600;

/** The alternatives of an Alt-Svc header, which has none when it says `clear`; what cannot be read is left out. */
export function readAltSvc(header: string): Alternative[] {
  const entries = header.matchAll(
    /([^\s,;="]+)="([^"]*):(\d+)"((?:\s*;\s*[^\s,;=]+=(?:"[^"]*"|[^\s,;]*))*)/g,
  );
  return [...entries].map(([, protocol = '', host = '', port = '', parameters = '']) => ({
    protocol,
    host,
    port: Number(port),
    maxAgeS: Number(/;\s*ma="?(\d+)/.exec(parameters)?.[1] ?? MAX_AGE_S),
  }));
}
