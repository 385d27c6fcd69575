import { mean } from '../../statistics/mean.ts';
import type { Har, HarEntry } from './har.ts';
import { mainDocumentOf } from './main-document.ts';
import type { TrafficRecord } from './records.ts';
import { responseHeaderNames, responseHeadersSha256 } from './response-headers.ts';
import { hasWholeResponse } from './whole-response.ts';

/** Counts from a HAR; cached responses are not traffic. */
export interface TrafficCounts {
  /** Requests sent, redirects counted one by one. */
  requests: number;
  /** Bytes received, headers included, after TLS or QUIC. */
  wireBytes: number;
  /** Distinct connections that carried a response. */
  connections: number;
  /** Mean per host; null: no response came over a connection. */
  connectionsPerOrigin: number | null;
  /** Maximum number of simultaneous requests, from sending to the last byte. */
  peakConcurrentRequests: number;
}

export function countsOf(har: Har): TrafficCounts {
  const sent = sentIn(har);
  return {
    requests: sent.length,
    wireBytes: sent.reduce((sum, { response }) => sum + response._transferSize, 0),
    connections: new Set(sent.flatMap((entry) => entry._connectionId ?? [])).size,
    connectionsPerOrigin: mean(Object.values(connectionsByHost(sent))),
    peakConcurrentRequests: peakConcurrency(sent),
  };
}

function sentIn(har: Har): HarEntry[] {
  return har.log.entries.filter((entry) => entry._fromCache === undefined);
}

/** Network traffic details in addition to the counts. */
export function trafficOf(har: Har): TrafficRecord {
  const sent = sentIn(har);
  const answered = sent.filter(hasWholeResponse);
  const security = mainDocumentOf(har)?.entry._securityDetails;
  return {
    responses200: answered.filter(({ response }) => response.status === 200).length,
    errorResponses: answered.filter(({ response }) => response.status >= 400).length,
    failedRequests: sent.length - answered.length,
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

/**
 * Maximum number of simultaneous requests, each from its first sent byte (after queueing, DNS and connecting) to its last
 * received byte. Requests without a response are excluded: it is unknown whether they were sent.
 */
export function peakConcurrency(entries: readonly HarEntry[]): number {
  const spans = entries.filter(({ response }) => response.status > 0).map(spanOf);
  return Math.max(0, ...spans.map(({ sentMs }) => spans.filter(isUnderWayAt(sentMs)).length));
}

interface Span {
  sentMs: number;
  endMs: number;
}

// HAR starts have a resolution of 1 ms, so shorter overlaps do not count.
const RESOLUTION_MS = 1;

function isUnderWayAt(moment: number): (span: Span) => boolean {
  return ({ sentMs, endMs }) =>
    sentMs === moment || (sentMs < moment && moment < endMs - RESOLUTION_MS);
}

function spanOf({ startedDateTime, time, timings }: HarEntry): Span {
  const startMs = Date.parse(startedDateTime);
  const before = [timings.blocked, timings.dns, timings.connect];
  const beforeMs = before.reduce((sum, phase) => sum + Math.max(0, phase), 0);
  return { sentMs: startMs + beforeMs, endMs: startMs + time };
}
