import { FORMAT_MINOR, FORMAT_VERSION } from '../../../../../ground/records/format.ts';
import { type ReportView, reportView } from '../../../../../report/sections/view.ts';
import { summarise } from '../../../../../report/summary/summary.ts';
import { type Fixture, fixtureRun, NONE } from '../../../../../test/unit/report/fixture-run.ts';
import { transfer } from '../../../experiment.ts';
import type { Limit, TransferDetails, TransferStep } from '../../../records.ts';
import type { Transfer } from '../../../sections/transfers.ts';

/** An arm of a made-up run: what it takes before the first byte and for each byte, and what held it up. */
export interface MadeUpArm {
  arm: string;
  label: string;
  startMs: number;
  nsPerByte: number;
  serverNsPerByte: number;
  limit: Limit | null;
}

/** One starts sooner, the other one is quicker by the byte: with 20 ms and 20 ns per byte between them they change places at 1 MB. */
export const ARMS: readonly [MadeUpArm, MadeUpArm] = [
  {
    arm: 'quick-start',
    label: 'Quick start (h3)',
    startMs: 40,
    nsPerByte: 100,
    serverNsPerByte: 20,
    limit: 'processor',
  },
  {
    arm: 'quick-bytes',
    label: 'Quick bytes (h2)',
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

export interface MadeUpOptions {
  sizes?: Readonly<Record<string, number>>;
  repetitions?: number;
  /** Changes single transfers after they were made. */
  change?: (attempt: Transfer, details: TransferDetails) => void;
}

/** A made-up run of transfers: the same options give the same run. */
export function madeUpTransfers({
  sizes = SIZES,
  repetitions = 7,
  change = () => {},
}: MadeUpOptions = {}): Fixture {
  const { run, calibrations, invocations } = fixtureRun({
    subjects: Object.keys(sizes),
    networks: [NONE],
  });
  Object.assign(run, {
    experiment: transfer.name,
    recordFile: transfer.recordFile,
    factors: {},
    arms: ARMS.map(({ arm, label }) => ({
      arm,
      label,
      protocol: arm === 'quick-start' ? 'h3' : 'h2',
      stack: arm,
      client: 'bun',
      controlOf: null,
    })),
    trials: [],
    repetitions,
    analysis: { baseline: ARMS[1].arm, marginPercent: 5, metric: 'totalMs' },
  });
  const attempts: Transfer[] = [];
  for (const [subject, bytes] of Object.entries(sizes)) {
    for (let block = 1; block <= repetitions; block++) {
      // Noise that every block has of its own, and both arms of it in common but for a little.
      const noise = 1 + 0.004 * ((block * 7) % 5);
      for (const [place, made] of ARMS.entries()) {
        const own = noise * (1 + 0.001 * ((block * 3 + place) % 4));
        const forMs = (made.nsPerByte * bytes * own) / 1e6;
        const trial = {
          id: `${subject}.${made.arm}.${block}`,
          subject,
          arm: made.arm,
          network: NONE,
          block,
          repetition: block,
          factors: {},
        };
        run.trials.push({ ...trial, warmup: false, networkSeed: block });
        const firstByteMs = made.startMs * own;
        const totalMs = firstByteMs + forMs;
        const serverCpuMs = (made.serverNsPerByte * bytes) / 1e6;
        const details: TransferDetails = {
          direction: 'download',
          bytes,
          streams: 1,
          client: 'bun',
          connections: 1,
          bodyBytes: bytes,
          serverReceivedBytes: null,
          series: seriesOf(bytes, firstByteMs, totalMs),
          limitedBy: { limit: made.limit, because: `${made.arm} was busy.`, observed: {} },
          error: null,
        };
        const attempt: Transfer = {
          formatVersion: FORMAT_VERSION,
          formatMinor: FORMAT_MINOR,
          ...trial,
          order: attempts.length + 1,
          experiment: transfer.name,
          stack: made.arm,
          protocol: place === 0 ? 'h3' : 'h2',
          network: { ...NONE, backend: 'userspace', measuredRttMs: 0.2 },
          warmup: false,
          client: null,
          outcome: 'ok',
          code: null,
          message: null,
          metrics: {
            totalMs,
            firstByteMs,
            connectMs: firstByteMs / 2,
            goodputKbps: (8 * bytes) / forMs,
            clientCpuMs: (10 * bytes) / 1e6,
            serverCpuMs,
            cpuNsPerByte: 10 + made.serverNsPerByte,
          },
          path: null,
          connections: null,
          machine: null,
          disturbed: null,
          stepsMs: {},
          files: {},
          startedAt: new Date(Date.UTC(2026, 10, 20, 10, 0, attempts.length)).toISOString(),
          attempt: 1,
          invocation: invocations[0]?.id ?? '',
          details,
        };
        change(attempt, details);
        attempts.push(attempt);
      }
    }
  }
  return {
    run,
    observations: attempts as unknown as Fixture['observations'],
    calibrations,
    invocations,
  };
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

/** What the sections of such a run are made of. */
export function viewOf(options: MadeUpOptions = {}): ReportView {
  const { run, observations, calibrations } = madeUpTransfers(options);
  return reportView(run, summarise(run, observations, calibrations), observations);
}
