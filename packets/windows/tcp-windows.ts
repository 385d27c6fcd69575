import type { TcpSample } from '../../ground/records/tcp-sample.ts';
import type { ConnectionWindows, WindowPoint } from './load-windows.ts';

/**
 * The windows of a load's TCP connections, as the kernel at the server's end told them.
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
