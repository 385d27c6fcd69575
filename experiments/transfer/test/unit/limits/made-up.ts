import type {
  LinkStep,
  ObservedTransfer,
  OccupationStep,
  SenderSample,
} from '../../../limits/observed-transfer.ts';

/**
 * A transfer of a second with 120 ms before the first byte, at a round trip of 40 ms, without
 * anything busy.
 */
export const QUIET = {
  firstByteMs: 120,
  lastByteMs: 1000,
  connectMs: 80,
  stepMs: 10,
  minRttMs: 40,
  cwndBytes: 100_000,
  inFlightBytes: 40_000,
};

type Sampled = Partial<SenderSample>;

/** Options of an observed transfer. */
export interface ObservedOptions {
  firstByteMs?: number;
  lastByteMs?: number;
  connectMs?: ObservedTransfer['connectMs'];
  sends?: ObservedTransfer['sends'];
  /** Changes of a sample from a quiet one; null: no samples. */
  sender?: ((atMs: number) => Sampled) | null;
  link?: ((atMs: number) => Partial<LinkStep>) | null;
  /** Shares of the time. */
  client?: (atMs: number) => number;
  server?: (atMs: number) => number;
  linkCpuMs?: number | null;
  offered?: ObservedTransfer['offered'];
  serverMs?: number | null;
  packets?: 'with keys' | 'without keys';
}

/** A transfer with these observations. */
export function observed({
  firstByteMs = QUIET.firstByteMs,
  lastByteMs = QUIET.lastByteMs,
  connectMs = QUIET.connectMs,
  sends = 'server',
  sender = () => ({}),
  link = () => ({}),
  client = () => 0.01,
  server = () => 0.01,
  linkCpuMs = 10,
  offered = null,
  serverMs = null,
  packets,
}: ObservedOptions = {}): ObservedTransfer {
  const moments = Array.from(
    { length: Math.ceil(lastByteMs / QUIET.stepMs) },
    (_, step) => step * QUIET.stepMs,
  );
  const forMs = QUIET.stepMs;
  const occupation = (share: number) => ({
    busiestMs: share * forMs,
    cpuMs: share * forMs,
  });
  return {
    sends,
    connectMs,
    serverMs,
    pathRttMs: QUIET.minRttMs,
    firstByteMs,
    lastByteMs,
    sender: sender && moments.map((atMs) => ({ atMs, ...SAMPLE, ...sender(atMs) })),
    link: link && moments.map((atMs) => ({ atMs, forMs, ...CARRIED, ...link(atMs) })),
    occupation: moments.map(
      (atMs): OccupationStep => ({
        atMs,
        forMs,
        client: occupation(client(atMs)),
        server: occupation(server(atMs)),
      }),
    ),
    linkCpuMs,
    offered,
    ...(packets && { packets }),
  };
}

const SAMPLE: Omit<SenderSample, 'atMs'> = {
  cwndBytes: QUIET.cwndBytes,
  inFlightBytes: QUIET.inFlightBytes,
  rttMs: QUIET.minRttMs,
  minRttMs: QUIET.minRttMs,
  notSentBytes: 0,
  receiveWindowMs: 0,
  lostPackets: 0,
};

const CARRIED = { bytes: 10_000, busyMs: 0, queueDrops: 0, lost: 0, mostWaitMs: 0 };
