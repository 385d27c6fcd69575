import path from 'node:path';
import type { TransferRequest } from '../../clients/transfer-client.ts';
import type { QuicConnection } from '../../ground/records/quic-sample.ts';
import { readTcpSamples, type TcpSample } from '../../ground/records/tcp-sample.ts';
import { timeOfDayAheadMs } from '../../ground/system/node-clock.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import type { Bench } from '../measuring.ts';
import { cumulativeCount } from './limits/cumulative-count.ts';
import type { OfferedWindows, SenderSample } from './limits/observed-transfer.ts';

/** What the kernel said of the TCP connections of a transfer. */
interface KernelSamples {
  samples: SenderSample[];
  /** What the connection that sent most had sent at the end, without what was sent again; null: not all samples were kept. */
  mostSentBytes: number | null;
}

/**
 * What the kernel said of the TCP connections of a transfer, at the end that sends.
 * @param askedAtMs when the transfer was asked for, by the machine's monotonic clock
 */
export function kernelSamples(
  path_: Pick<Bench['path'], 'writeTcpInfo'>,
  askedAtMs: number,
): Promise<KernelSamples> {
  // Samples have the clock of captures.
  const offsetMs = timeOfDayAheadMs();
  return withTemporaryFolder('samples', async (folder) => {
    const file = path.join(folder, 'tcp-info.jsonl.gz');
    const { missed } = await path_.writeTcpInfo(file);
    const { samples, latest } = await mergeConnections(readTcpSamples(file), askedAtMs + offsetMs);
    const sentBytes = latest.map((each) => each.sentBytes - each.retransmittedBytes);
    return { samples, mostSentBytes: missed > 0 ? null : Math.max(0, ...sentBytes) };
  });
}

/** All connections of each moment as one; of those that have ended what they had counted stays. And the last of each. */
async function mergeConnections(
  samples: AsyncIterable<TcpSample>,
  beganAtMs: number,
): Promise<{ samples: SenderSample[]; latest: TcpSample[] }> {
  const found: SenderSample[] = [];
  const latest = new Map<string, TcpSample>();
  let present: TcpSample[] = [];
  const end = () => {
    const first = present[0];
    if (first !== undefined) found.push(sampleOf(present, [...latest.values()], beganAtMs));
    present = [];
  };
  for await (const sample of samples) {
    const previous = present[0];
    if (previous !== undefined && timeOf(previous) !== timeOf(sample)) end();
    present.push(sample);
    latest.set(`${sample.client} ${sample.server}`, sample);
  }
  end();
  return { samples: found, latest: [...latest.values()] };
}

/**
 * What the sending program said of a QUIC connection. What is on its way it does not tell: it is what was sent in the latest round trip.
 * @param askedAtMs as for kernelSamples()
 */
export function quicSamples({ samples }: QuicConnection, askedAtMs: number): SenderSample[] {
  const sent = cumulativeCount(samples.map(({ atMs, sentBytes }) => ({ atMs, count: sentBytes })));
  return samples.map(({ atMs, cwndBytes, rttMs, minRttMs, lostPackets }) => ({
    atMs: atMs - askedAtMs,
    cwndBytes,
    inFlightBytes: Math.round(sent.between(atMs - rttMs, atMs)),
    rttMs,
    minRttMs,
    notSentBytes: null,
    receiveWindowMs: null,
    lostPackets,
  }));
}

/** What the receiver let come over a QUIC connection at first, by its handshake. */
export function offeredBy(
  connection: QuicConnection,
  { direction, streams }: Pick<TransferRequest, 'direction' | 'streams'>,
): OfferedWindows {
  const [streamBytes, connectionBytes] =
    direction === 'download'
      ? [connection.clientStreamWindowBytes, connection.clientWindowBytes]
      : [connection.serverStreamWindowBytes, connection.serverWindowBytes];
  return { streamsBytes: streamBytes && streams * streamBytes, connectionBytes };
}

function sampleOf(
  present: readonly TcpSample[],
  all: readonly TcpSample[],
  beganAtMs: number,
): SenderSample {
  const sum = (of: (sample: TcpSample) => number, samples = present) =>
    samples.reduce((total, sample) => total + of(sample), 0);
  const rtts = present.map(({ rttMs }) => rttMs);
  const leasts = present.flatMap(({ minRttMs }) => minRttMs ?? []);
  return {
    atMs: timeOf(present[0] as TcpSample) - beganAtMs,
    cwndBytes: sum(({ cwndBytes }) => cwndBytes),
    inFlightBytes: sum(({ inFlightBytes }) => inFlightBytes),
    rttMs: rtts.reduce((total, rttMs) => total + rttMs, 0) / rtts.length,
    minRttMs: leasts.length > 0 ? Math.min(...leasts) : null,
    notSentBytes: sum(({ notSentBytes }) => notSentBytes),
    receiveWindowMs: sum(({ rwndLimitedMs }) => rwndLimitedMs, all) / all.length,
    lostPackets: sum(({ retransmittedSegments }) => retransmittedSegments, all),
  };
}

function timeOf({ s, ns }: TcpSample): number {
  return s * 1000 + ns / 1e6;
}
