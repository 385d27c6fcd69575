import type { HarEntry } from '../../../clients/chromium/har/har.ts';
import type { Protocol } from '../../../ground/records/protocol.ts';
import { hasLost, type Problem } from '../../checks.ts';
import type { Expected, Observed } from './check.ts';

/**
 * Chromium's own limits for one host: one connection by HTTP/2 and HTTP/3, six by HTTP/1.1. It keeps requests with and
 * without credentials apart, so there are two such sets.
 */
const MOST_CONNECTIONS: Partial<Record<Protocol, number>> = {
  h3: 2,
  h2: 2,
  // One set of each.
  'h2+h3': 4,
  'http/1.1': 12,
  // A connection for each request.
  'http/1.0': Number.POSITIVE_INFINITY,
};

/** More connections to one host than the browser makes by its rules: some broke off, or were made twice. */
export function tooManyConnections(
  { har, path }: Observed,
  { protocol, network }: Expected,
): Problem | null {
  // What happens to the path is to break connections, and others take their place.
  if (network.event || hasLost(path)) return null;
  const answered = har.log.entries.filter(({ _connectionId }) => _connectionId !== undefined);
  // Frames of another site have connections of their own, even to the same host.
  const sites = new Set(
    answered.filter(({ _resourceType }) => _resourceType === 'document').map(siteOf),
  );
  const most = (MOST_CONNECTIONS[protocol] ?? 0) * Math.max(1, sites.size);
  for (const [host, entries] of Map.groupBy(answered, hostOf)) {
    const connections = new Set(entries.map(({ _connectionId }) => _connectionId)).size;
    if (connections > most) {
      return {
        code: 'too-many-connections',
        message: `${host} was asked over ${connections} connections; by ${protocol} a browser makes ${most} at most for such a page.`,
      };
    }
  }
  return null;
}

function hostOf({ request }: HarEntry): string {
  return new URL(request.url).host;
}

/** The last two labels of the host: near enough to tell frames apart. */
function siteOf(entry: HarEntry): string {
  return hostOf(entry).split('.').slice(-2).join('.');
}
