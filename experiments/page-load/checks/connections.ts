import type { HarEntry } from '../../../clients/har/har.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import { hasLost, type Problem } from '../../checks.ts';
import { type Expected, type Observed, protocolOf } from './check.ts';

/**
 * Chromium's limits for one host: one connection by HTTP/2 and HTTP/3, six by HTTP/1.1, twice each because requests with and
 * without credentials have separate connections.
 */
const MOST_CONNECTIONS: Partial<Record<Protocol, number>> = {
  h3: 2,
  h2: 2,
  // Two by HTTP/2, two by HTTP/3.
  'h2+h3': 4,
  'http/1.1': 12,
  // Each request has its own connection.
  'http/1.0': Number.POSITIVE_INFINITY,
};

/** More connections to one host than the browser's limits permit, so some broke or were made twice. */
export function tooManyConnections({ har, path }: Observed, expected: Expected): Problem | null {
  const { network } = expected;
  // Events and losses break connections, which the browser replaces.
  if (network.event || hasLost(path)) return null;
  const answered = har.log.entries.filter(({ _connectionId }) => _connectionId !== undefined);
  // Frames of another site have separate connections, even to the same host.
  const sites = new Set(
    answered.filter(({ _resourceType }) => _resourceType === 'document').map(siteOf),
  );
  for (const [host, entries] of Map.groupBy(answered, hostOf)) {
    const protocol = protocolOf(host, expected);
    const most = (MOST_CONNECTIONS[protocol] ?? 0) * Math.max(1, sites.size);
    const connections = new Set(entries.map(({ _connectionId }) => _connectionId)).size;
    if (connections > most) {
      return {
        code: 'too-many-connections',
        message: `The browser used ${connections} connections to ${host}, expected at most ${most} by ${protocol} for this page.`,
      };
    }
  }
  return null;
}

function hostOf({ request }: HarEntry): string {
  return new URL(request.url).host;
}

/** The last two labels of the host, an approximation that suffices for frames. */
function siteOf(entry: HarEntry): string {
  return hostOf(entry).split('.').slice(-2).join('.');
}
