import type { RecordedExchange } from '../recording.ts';

/**
 * Round-trip time to each host (with port) during the recording, in ms: the shortest TCP handshake,
 * but at most the shortest wait for a response. Hosts without a wait are missing.
 */
export function roundTripsOf(exchanges: RecordedExchange[]): Map<string, number> {
  const connectMs = new Map<string, number>();
  const waitMs = new Map<string, number>();
  for (const exchange of exchanges) {
    const { host } = new URL(exchange.url);
    keepShortest(connectMs, host, exchange.connectMs);
    keepShortest(waitMs, host, exchange.waitMs);
  }
  // A handshake with a distant proxy can be slower than a response.
  return new Map(
    [...waitMs].map(([host, shortestMs]) => [
      host,
      Math.min(shortestMs, connectMs.get(host) ?? shortestMs),
    ]),
  );
}

function keepShortest(shortest: Map<string, number>, host: string, ms: number | undefined): void {
  if (ms === undefined || !Number.isFinite(ms) || ms < 0) return;
  shortest.set(host, Math.min(ms, shortest.get(host) ?? ms));
}
