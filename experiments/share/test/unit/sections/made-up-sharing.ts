import { type MadeArm, type MadeRun, madeRun, NONE } from '../../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../../test/unit/report/reported.ts';
import { share } from '../../../experiment.ts';
import type { Flow, SharingDetails } from '../../../records.ts';

const BOTTLENECK = { ...NONE, name: '30ms-down10000', rttMs: 30, downKbps: 10_000 };

/** An arm of a made-up mix: the rate of each of its flows, in kbit/s, in every repetition. */
export type MadeUpMix = Readonly<Record<string, readonly number[]>>;

const STEPS = 100;

/** Number and duration of flows. */
interface Made {
  repetitions?: number;
  durationMs?: number;
}

/** A made-up run of sharing. */
export function madeUpSharing(
  mixes: Readonly<Record<string, MadeUpMix>>,
  { repetitions = 7, durationMs = 10_000 }: Made = {},
): MadeRun<SharingDetails> {
  const arms = [...new Set(Object.values(mixes).flatMap(Object.keys))];
  const made = madeRun<SharingDetails, MadeArm>(share, {
    subjects: Object.keys(mixes),
    networks: [BOTTLENECK],
    arms: arms.map((arm) => ({
      arm,
      label: `${arm} server`,
      protocol: arm === 'quic' ? 'h3' : 'h2',
    })),
    repetitions,
    analysis: { baseline: 'tcp', marginPercent: 5, metric: 'goodputKbps' },
    idOf: ({ subject, arm, block }) => `${subject}.${arm}.${block}`,
    has: ({ subject, arm }) => mixes[subject]?.[arm] !== undefined,
    attempt: ({ trial: { subject, arm, block } }) => {
      const mix = mixes[subject] ?? {};
      const kbps = mix[arm] ?? [];
      const noise = 1 + 0.01 * ((block * 3) % 5);
      const totalKbps = sumOf(Object.values(mix).flat());
      return {
        metrics: {
          goodputKbps: (noise * sumOf(kbps)) / kbps.length,
          totalKbps,
          jainIndex: 0.8 + 0.01 * block,
          timeToFairMs: block <= 2 ? 1_000 * block : null,
          queueMs: 20,
        },
        details: {
          measuredBy: `${subject}.${Object.keys(mix)[0]}.${block}`,
          flows: kbps.map((each, index) => flowOf(`${arm}.${index + 1}`, each, totalKbps)),
          path: null,
          countedFromMs: 100,
          countedMs: 9_900,
          queue: {
            setBytes: 37_500,
            mostBytes: 37_000 + block,
            stepMs: Array.from({ length: STEPS }, (_, step) => step % 30),
          },
        },
      };
    },
  });
  made.run.choices.flows = { mixes: [], durationMs, startGapMs: 0 };
  return made;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function flowOf(flow: string, kbps: number, totalKbps: number): Flow {
  return {
    flow,
    startOrder: 1,
    beganMs: 0,
    clientPort: 40_000,
    congestionControl: 'cubic',
    goodputKbps: kbps,
    sharePercent: (100 * kbps) / totalKbps,
    rttMs: flow.startsWith('tcp') ? 55.5 : null,
    retransmitted: flow.startsWith('tcp') ? 12 : null,
    stepBytes: Array.from({ length: STEPS }, () => (kbps * 100) / 8),
    error: null,
  };
}

/** Input of the sections of such a run. */
export const viewOf = (...made: Parameters<typeof madeUpSharing>) =>
  viewOfRun(madeUpSharing(...made));
