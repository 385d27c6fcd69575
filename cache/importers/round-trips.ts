import type { RecordedExchange } from '../recording.ts';

/**
 * The round-trip time to each host (with port) when a page was recorded, in ms: the shortest time that a TCP connection to it took,
 * else the shortest wait for a response, which no round trip can have exceeded. Hosts without either are missing.
 */
export function roundTripsOf(exchanges: RecordedExchange[]): Map<string, number> {
  const connectMs = new Map<string, number>();
  const waitMs = new Map<string, number>();
  for (const exchange of exchanges) {
    const { host } = new URL(exchange.url);
    keepShortest(connectMs, host, exchange.connectMs);
    keepShortest(waitMs, host, exchange.waitMs);
  }
  // A connection through a proxy or to a cache nearby can be slower than the answer: never more than the shortest wait.
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
