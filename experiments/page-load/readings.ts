import { medianReading, wordsReading } from '../../records/load-readings.ts';
import type { Observation } from '../../records/observation.ts';
import type { Reading } from '../../records/reading.ts';
import type { StackReadings } from '../../records/stack-readings.ts';
import type { PageLoadDetails } from './details.ts';

/** What page loads of one stack say of it, for the comparison of stacks. */
export function readingsOfPageLoads(loads: readonly Observation[]): StackReadings {
  const traffic = loads.flatMap(
    ({ details }) => (details as PageLoadDetails | null)?.traffic ?? [],
  );
  const sets = loads.flatMap(
    ({ details }) => (details as PageLoadDetails | null)?.requestSetSha256 ?? [],
  );
  const counts = (metric: string) => loads.flatMap(({ metrics }) => metrics[metric] ?? []);
  return {
    tlsVersion: wordsReading(traffic.map(({ tlsVersion }) => tlsVersion && tlsOf(tlsVersion))),
    cipher: wordsReading(traffic.map(({ cipher }) => cipher)),
    keyExchange: wordsReading(traffic.map(({ keyExchangeGroup }) => keyExchangeGroup)),
    // Runs of before it was recorded have none.
    ...(sets.length < loads.length ? {} : { requests: requestsReading(sets) }),
    responseHeaders: wordsReading(
      traffic.map(({ responseHeadersSha256 }) => responseHeadersSha256.slice(0, DIGEST_LETTERS)),
    ),
    connections: medianReading(counts('connections')),
    peakConcurrentRequests: medianReading(counts('peakConcurrentRequests')),
  };
}

// Enough to tell any two apart that a run will ever see, and short enough for a table.
const DIGEST_LETTERS = 16;

/** What most loads asked for. How many requests that is does not tell stacks apart: whether the icon is among them is chance. */
function requestsReading(sets: readonly string[]): Reading<string> {
  const [usual] = [...Map.groupBy(sets, (set) => set)].sort((a, b) => b[1].length - a[1].length);
  const [set, own] = usual ?? ['', []];
  const from = `${own.length} of ${sets.length} loads`;
  if (own.length * 2 <= sets.length) return { value: null, from };
  return { value: set.slice(0, DIGEST_LETTERS), from };
}

/** Chromium names the transport where TLS 1.3 is part of it (RFC 9001, section 4.2). */
function tlsOf(said: string): string {
  return said === 'QUIC' ? 'TLS 1.3' : said;
}
