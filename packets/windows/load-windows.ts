import type { TcpSample } from '../../ground/records/tcp-sample.ts';
import type { ChartStack } from '../../kit/page/stack.ts';

export interface WindowPoint {
  /** Time since the load began. */
  atMs: number;
  /** Congestion window; null: only an endpoint knows it. */
  cwndBytes: number | null;
  inFlightBytes: number;
  /** Smoothed round-trip time; null: no acknowledgement yet. */
  rttMs: number | null;
}

/** One connection of a load; its points are in the order of time, each holds until the next. */
export interface ConnectionWindows {
  /** Label: a host, or the client's port. */
  name: string;
  points: readonly WindowPoint[];
}

export interface LoadWindows {
  arm: ChartStack;
  /** From the kernel (TCP_INFO), or estimated from captured packets. */
  source: 'kernel' | 'packets';
  connections: readonly ConnectionWindows[];
}

/** Sums over all connections of a load at each change; a connection counts from its first point on. */
export function totalsOf(connections: readonly ConnectionWindows[]): Omit<WindowPoint, 'rttMs'>[] {
  const changes = connections
    .flatMap(({ points }, connection) => points.map((point) => ({ connection, point })))
    .toSorted((a, b) => a.point.atMs - b.point.atMs);
  const latest = new Map<number, WindowPoint>();
  return changes.flatMap(({ connection, point }, place) => {
    latest.set(connection, point);
    // Simultaneous changes are one change.
    if (changes[place + 1]?.point.atMs === point.atMs) return [];
    const now = [...latest.values()];
    const known = now.flatMap(({ cwndBytes }) => cwndBytes ?? []);
    return [
      {
        atMs: point.atMs,
        cwndBytes: known.length === 0 ? null : sum(known),
        inFlightBytes: sum(now.map(({ inFlightBytes }) => inFlightBytes)),
      },
    ];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * Windows of a load's TCP connections, from the kernel at the server's end.
 * @param beginMs when the load began, in ms since 1970
 */
export async function tcpWindows(
  samples: AsyncIterable<TcpSample>,
  beginMs: number,
): Promise<ConnectionWindows[]> {
  const byClient = new Map<string, WindowPoint[]>();
  for await (const { s, ns, client, cwndBytes, inFlightBytes, rttMs } of samples) {
    const points = byClient.get(client) ?? [];
    byClient.set(client, points);
    points.push({ atMs: s * 1000 + ns / 1e6 - beginMs, cwndBytes, inFlightBytes, rttMs });
  }
  return [...byClient].map(([client, points]) => ({
    name: `port ${client.slice(client.lastIndexOf(':') + 1)}`,
    points,
  }));
}
