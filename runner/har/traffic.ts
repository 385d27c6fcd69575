import type { TrafficRecord } from '../../records/page-load.ts';
import { isAnswered } from './answered.ts';
import { peakConcurrency } from './concurrency.ts';
import type { Har, HarEntry } from './har.ts';
import { mainDocumentOf } from './main-document.ts';
import { responseHeaderNames, responseHeadersSha256 } from './response-headers.ts';

/** What came over the wire, counted from a HAR; responses from a cache are no traffic. */
export function trafficOf(har: Har): TrafficRecord {
  const sent = har.log.entries.filter((entry) => entry._fromCache === undefined);
  const answered = sent.filter(isAnswered);
  const connections = new Set(sent.flatMap((entry) => entry._connectionId ?? []));
  const security = mainDocumentOf(har)?.entry._securityDetails;
  return {
    requests: sent.length,
    responses200: answered.filter(({ response }) => response.status === 200).length,
    errorResponses: answered.filter(({ response }) => response.status >= 400).length,
    failedRequests: sent.length - answered.length,
    wireBytes: sent.reduce((sum, { response }) => sum + response._transferSize, 0),
    connections: connections.size,
    protocols: Object.fromEntries(
      [...Map.groupBy(answered, ({ response }) => response.httpVersion)].map(
        ([protocol, entries]) => [protocol, entries.length],
      ),
    ),
    connectionsByHost: connectionsByHost(sent),
    tlsVersion: security?.protocol ?? null,
    cipher: security?.cipher ?? null,
    keyExchangeGroup: security?.keyExchangeGroup ?? null,
    fromCache: har.log.entries.length - sent.length,
    peakConcurrentRequests: peakConcurrency(sent),
    responseHeaderNames: responseHeaderNames(answered),
    responseHeadersSha256: responseHeadersSha256(answered),
  };
}

function connectionsByHost(sent: readonly HarEntry[]): Record<string, number> {
  const connected = sent.filter(({ _connectionId }) => _connectionId !== undefined);
  const byHost = Map.groupBy(connected, ({ request }) => new URL(request.url).host);
  return Object.fromEntries(
    [...byHost].map(([host, entries]) => [
      host,
      new Set(entries.map(({ _connectionId }) => _connectionId)).size,
    ]),
  );
}
