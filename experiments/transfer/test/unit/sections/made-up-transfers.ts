import type { Protocol } from '../../../../../ground/records/protocol.ts';
import {
  type CommonOptions,
  type MadeRun,
  madeRun,
  NONE,
} from '../../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../../test/unit/report/reported.ts';
import { transfer } from '../../../experiment.ts';
import type { Limit, TransferDetails, TransferStep } from '../../../records.ts';

/** An arm of a made-up run: its time before the first byte and for each byte, and its limit. */
export interface MadeUpArm {
  arm: string;
  label: string;
  protocol: Protocol;
  startMs: number;
  nsPerByte: number;
  serverNsPerByte: number;
  limit: Limit | null;
}

/**
 * One starts sooner, the other is quicker by the byte: with 20 ms and 20 ns per byte between them
 * they change places at 1 MB.
 */
export const ARMS: readonly [MadeUpArm, MadeUpArm] = [
  {
    arm: 'quick-start',
    label: 'Quick start (h3)',
    protocol: 'h3',
    startMs: 40,
    nsPerByte: 100,
    serverNsPerByte: 20,
    limit: 'processor',
  },
  {
    arm: 'quick-bytes',
    label: 'Quick bytes (h2)',
    protocol: 'h2',
    startMs: 60,
    nsPerByte: 80,
    serverNsPerByte: 5,
    limit: 'link',
  },
];

export const SIZES: Readonly<Record<string, number>> = {
  '10kB': 1e4,
  '100kB': 1e5,
  '1MB': 1e6,
  '10MB': 1e7,
};

export interface MadeUpOptions extends CommonOptions<TransferDetails> {
  sizes?: Readonly<Record<string, number>>;
  /** The last one is the baseline. */
  arms?: readonly MadeUpArm[];
}

/** A made-up run of transfers. */
export function madeUpTransfers({
  sizes = SIZES,
  arms = ARMS,
  ...options
}: MadeUpOptions = {}): MadeRun<TransferDetails> {
  return madeRun<TransferDetails, MadeUpArm>(transfer, {
    subjects: Object.keys(sizes),
    networks: [NONE],
    arms,
    repetitions: 7,
    analysis: { baseline: arms.at(-1)?.arm ?? '', marginPercent: 5, metric: 'totalMs' },
    idOf: ({ subject, arm, block }) => `${subject}.${arm}.${block}`,
    attempt: ({ trial: { subject, block }, arm, armIndex }) => {
      const bytes = sizes[subject] ?? 0;
      // Noise of the block, and a little of each arm.
      const noise = (1 + 0.004 * ((block * 7) % 5)) * (1 + 0.001 * ((block * 3 + armIndex) % 4));
      const forMs = (arm.nsPerByte * bytes * noise) / 1e6;
      const firstByteMs = arm.startMs * noise;
      const totalMs = firstByteMs + forMs;
      return {
        network: { ...NONE, backend: 'userspace', measuredRttMs: 0.2 },
        metrics: {
          totalMs,
          firstByteMs,
          connectMs: firstByteMs / 2,
          goodputKbps: (8 * bytes) / forMs,
          clientCpuMs: (10 * bytes) / 1e6,
          serverCpuMs: (arm.serverNsPerByte * bytes) / 1e6,
          cpuNsPerByte: 10 + arm.serverNsPerByte,
        },
        details: {
          direction: 'download',
          bytes,
          streams: 1,
          client: 'bun',
          connections: 1,
          bodyBytes: bytes,
          serverReceivedBytes: null,
          series: seriesOf(bytes, firstByteMs, totalMs),
          limitedBy: { limit: arm.limit, because: `${arm.arm} was busy.`, observed: {} },
          error: null,
        },
      };
    },
    ...options,
  });
}

function seriesOf(bytes: number, firstByteMs: number, totalMs: number): TransferStep[] {
  const steps = Math.floor(totalMs / 100);
  const atMs = Array.from({ length: steps }, (_, index) => 100 * (index + 1));
  return [...atMs, totalMs].map((at) => ({
    atMs: at,
    bytes: Math.round((bytes * Math.max(0, at - firstByteMs)) / Math.max(1, totalMs - firstByteMs)),
    cwndBytes: 14_600,
    inFlightBytes: null,
    rttMs: null,
    queueMs: 2.5,
    clientCpuPercent: null,
    serverCpuPercent: null,
  }));
}

/** Input of the sections of such a run. */
export const viewOf = (...made: Parameters<typeof madeUpTransfers>) =>
  viewOfRun(madeUpTransfers(...made));
