import { medianReading, wordsReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { StackReadings } from '../../ground/records/stack-readings.ts';
import type { PageLoadDetails } from './details.ts';

/** What page loads of one stack say of it, for the comparison of stacks. */
export function readingsOfPageLoads(loads: readonly Observation[]): StackReadings {
  const traffic = loads.flatMap(
    ({ details }) => (details as PageLoadDetails | null)?.traffic ?? [],
  );
  const counts = (metric: string) => loads.flatMap(({ metrics }) => metrics[metric] ?? []);
  return {
    tlsVersion: wordsReading(traffic.map(({ tlsVersion }) => tlsVersion && tlsOf(tlsVersion))),
    cipher: wordsReading(traffic.map(({ cipher }) => cipher)),
    keyExchange: wordsReading(traffic.map(({ keyExchangeGroup }) => keyExchangeGroup)),
    connections: medianReading(counts('connections')),
    peakConcurrentRequests: medianReading(counts('peakConcurrentRequests')),
  };
}

/** Chromium names the transport where TLS 1.3 is part of it (RFC 9001, section 4.2). */
function tlsOf(said: string): string {
  return said === 'QUIC' ? 'TLS 1.3' : said;
}
