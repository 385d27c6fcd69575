import path from 'node:path';
import { readTcpSamples } from '../../ground/records/tcp-sample.ts';
import { timeOfDayAheadMs } from '../../ground/system/node-clock.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { median } from '../../statistics/median.ts';
import type { Bench } from '../measuring.ts';

export const TCP_INFO_MS = 100;

/** Readings of a flow's sender; null: not reported. */
export interface Sender {
  /** Median of its smoothed round-trip times, in ms. */
  rttMs: number | null;
  /** Retransmitted packets; of QUIC those that it declared lost. */
  retransmitted: number | null;
}

export const SILENT_SENDER: Sender = { rttMs: null, retransmitted: null };

/** A sample of a sender's connection, by the machine's monotonic clock. */
interface Moment {
  atMs: number;
  rttMs: number;
  retransmitted: number;
}

/**
 * Readings by the client's port: of TCP from the kernel at the servers' end, of QUIC from the servers.
 * @param counted by the machine's monotonic clock, in ms
 */
export async function sendersOf(
  { path: networkPath, servers }: Pick<Bench, 'path' | 'servers'>,
  counted: { fromMs: number; untilMs: number },
): Promise<Map<number, Sender>> {
  const moments = [...(await kernelMoments(networkPath)), ...(await quicMoments(servers))];
  const byPort = Map.groupBy(moments, ({ port }) => port);
  return new Map([...byPort].map(([port, own]) => [port, senderOf(own, counted)]));
}

async function kernelMoments(
  networkPath: Pick<Bench['path'], 'writeTcpInfo'>,
): Promise<(Moment & { port: number })[]> {
  // Samples of TCP_INFO have the time of day.
  const offsetMs = timeOfDayAheadMs();
  return withTemporaryFolder('samples', async (folder) => {
    const file = path.join(folder, 'tcp-info.jsonl.gz');
    await networkPath.writeTcpInfo(file);
    const found: (Moment & { port: number })[] = [];
    for await (const { s, ns, client, rttMs, retransmittedSegments } of readTcpSamples(file)) {
      const atMs = s * 1000 + ns / 1e6 - offsetMs;
      found.push({ port: portOf(client), atMs, rttMs, retransmitted: retransmittedSegments });
    }
    return found;
  });
}

async function quicMoments(servers: Bench['servers']): Promise<(Moment & { port: number })[]> {
  // If a server has ended or does not answer, its flow reports the failure.
  const connections = await Promise.all(
    servers.map((server) => server.transportSamples?.().catch(() => []) ?? []),
  );
  return connections.flat().flatMap(({ client, samples }) =>
    samples.map(({ atMs, rttMs, lostPackets }) => ({
      port: portOf(client),
      atMs,
      rttMs,
      retransmitted: lostPackets,
    })),
  );
}

/** @param address `ip:port` */
function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}

function senderOf(
  moments: readonly Moment[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Sender {
  const within = moments.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs);
  return {
    rttMs: median(within.map(({ rttMs }) => rttMs)),
    retransmitted: moments.at(-1)?.retransmitted ?? null,
  };
}
