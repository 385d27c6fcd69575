import path from 'node:path';
import { readTcpSamples, type TcpSample } from '../../records/tcp-sample.ts';
import { median } from '../../statistics/median.ts';
import { withTemporaryFolder } from '../../system/temporary-folder.ts';
import type { Bench } from '../measuring.ts';

/** How often the kernel is asked for what it knows of the senders' connections. */
export const TCP_INFO_MS = 100;

/** What a flow's sender tells of it. */
export interface Sender {
  /** Median of its smoothed round-trip times, in ms. */
  rttMs: number | null;
  /** Packets that it sent again. */
  retransmitted: number | null;
}

export const SILENT_SENDER: Sender = { rttMs: null, retransmitted: null };

/**
 * What the kernel at the servers' end told of the connections by TCP, by the client's port.
 * @param counted from when until when, in ms since 1970
 */
export async function sendersOf(
  networkPath: Pick<Bench['path'], 'writeTcpInfo'>,
  counted: { fromMs: number; untilMs: number },
): Promise<Map<number, Sender>> {
  return withTemporaryFolder('logs', async (folder) => {
    const file = path.join(folder, 'tcp-info.jsonl.gz');
    await networkPath.writeTcpInfo(file);
    const byPort = new Map<number, TcpSample[]>();
    for await (const sample of readTcpSamples(file)) {
      const port = portOf(sample);
      byPort.set(port, [...(byPort.get(port) ?? []), sample]);
    }
    return new Map([...byPort].map(([port, samples]) => [port, senderOf(samples, counted)]));
  });
}

function portOf({ client }: TcpSample): number {
  return Number(client.slice(client.lastIndexOf(':') + 1));
}

function senderOf(
  samples: readonly TcpSample[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Sender {
  const within = samples.filter(({ s, ns }) => {
    const atMs = s * 1000 + ns / 1e6;
    return atMs >= fromMs && atMs <= untilMs;
  });
  return {
    rttMs: median(within.map(({ rttMs }) => rttMs)),
    retransmitted: samples.at(-1)?.retransmittedSegments ?? null,
  };
}
