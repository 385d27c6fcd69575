import path from 'node:path';
import type { TransferRequest } from '../../clients/transfer-client.ts';
import type { QuicConnection } from '../../ground/records/quic-sample.ts';
import { readTcpSamples, type TcpSample } from '../../ground/records/tcp-sample.ts';
import { timeOfDayAheadMs } from '../../ground/system/node-clock.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import type { Bench } from '../measuring.ts';
import { cumulativeCount } from './limits/cumulative-count.ts';
import type { OfferedWindows, SenderSample } from './limits/observed-transfer.ts';

interface KernelSamples {
  samples: SenderSample[];
  /** Bytes of the connection that sent most, without retransmissions; null: samples are missing. */
  mostSentBytes: number | null;
}

/**
 * Reads the kernel's samples at the sender.
 * @param requestedAtMs time of the request on the machine's monotonic clock
 */
export function kernelSamples(
  path_: Pick<Bench['path'], 'writeTcpInfo'>,
  requestedAtMs: number,
): Promise<KernelSamples> {
  // Samples have the clock of packet captures.
  const offsetMs = timeOfDayAheadMs();
  return withTemporaryFolder('samples', async (folder) => {
    const file = path.join(folder, 'tcp-info.jsonl.gz');
    const { missed } = await path_.writeTcpInfo(file);
    const { samples, latest } = await mergeConnections(
      readTcpSamples(file),
      requestedAtMs + offsetMs,
    );
    const sentBytes = latest.map((each) => each.sentBytes - each.retransmittedBytes);
    return { samples, mostSentBytes: missed > 0 ? null : Math.max(0, ...sentBytes) };
  });
}

/** Adds up all connections at each time, closed ones with their last counts; `latest`: last sample of each. */
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
 * Converts a QUIC sender's samples. Bytes in flight are not reported: they are estimated as the bytes
 * sent in the latest round trip.
 * @param requestedAtMs as for kernelSamples()
 */
export function quicSamples({ samples }: QuicConnection, requestedAtMs: number): SenderSample[] {
  const sent = cumulativeCount(samples.map(({ atMs, sentBytes }) => ({ atMs, count: sentBytes })));
  return samples.map(({ atMs, cwndBytes, rttMs, minRttMs, lostPackets }) => ({
    atMs: atMs - requestedAtMs,
    cwndBytes,
    inFlightBytes: Math.round(sent.between(atMs - rttMs, atMs)),
    rttMs,
    minRttMs,
    notSentBytes: null,
    receiveWindowMs: null,
    lostPackets,
  }));
}

/** The receiver's initial windows of a QUIC connection, from its handshake. */
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
