import { FORMAT } from '../../../../../ground/records/format.ts';
import type { Observation } from '../../../../../ground/records/observation.ts';
import { type ReportView, reportView } from '../../../../../report/sections/view.ts';
import { summarise } from '../../../../../report/summary/summary.ts';
import { type Fixture, fixtureRun, NONE } from '../../../../../test/unit/report/fixture-run.ts';
import { share } from '../../../experiment.ts';
import type { Flow, SharingDetails } from '../../../records.ts';

const BOTTLENECK = { ...NONE, name: '30ms-down10000', rttMs: 30, downKbps: 10_000 };

/** An arm of a made-up mix: what each of its flows gets, in kbit/s, in every repetition. */
export type MadeUpMix = Readonly<Record<string, readonly number[]>>;

const STEPS = 100;

/** How often flows are let, and how long. */
interface Made {
  repetitions?: number;
  durationMs?: number;
}

/** A made-up run of sharing: the same mixes give the same run. */
export function madeUpSharing(
  mixes: Readonly<Record<string, MadeUpMix>>,
  { repetitions = 7, durationMs = 10_000 }: Made = {},
): Fixture {
  const { run, calibrations, invocations } = fixtureRun({
    subjects: Object.keys(mixes),
    networks: [BOTTLENECK],
  });
  const arms = [...new Set(Object.values(mixes).flatMap(Object.keys))];
  Object.assign(run, {
    experiment: share.name,
    recordFile: share.recordFile,
    factors: {},
    arms: arms.map((arm) => ({
      arm,
      label: `${arm} server`,
      protocol: arm === 'quic' ? 'h3' : 'h2',
      stack: arm,
      client: 'bun',
      controlOf: null,
    })),
    trials: [],
    repetitions,
    choices: { ...run.choices, flows: { mixes: [], durationMs, startGapMs: 0 } },
    analysis: { baseline: 'tcp', marginPercent: 5, metric: 'goodputKbps' },
  });
  const observations: Observation<SharingDetails>[] = [];
  for (const [subject, mix] of Object.entries(mixes)) {
    for (let block = 1; block <= repetitions; block++) {
      const noise = 1 + 0.01 * ((block * 3) % 5);
      const totalKbps = Object.values(mix)
        .flat()
        .reduce((sum, each) => sum + each, 0);
      const measuredBy = `${subject}.${Object.keys(mix)[0]}.${block}`;
      for (const [arm, kbps] of Object.entries(mix)) {
        const trial = { id: `${subject}.${arm}.${block}`, subject, arm, block, repetition: block };
        run.trials.push({
          ...trial,
          network: BOTTLENECK,
          factors: {},
          warmup: false,
          networkSeed: block,
        });
        observations.push({
          ...FORMAT,
          ...trial,
          order: observations.length + 1,
          experiment: share.name,
          stack: arm,
          protocol: arm === 'quic' ? 'h3' : 'h2',
          network: { ...BOTTLENECK, backend: 'userspace', measuredRttMs: 30.2 },
          factors: {},
          warmup: false,
          client: null,
          outcome: 'ok',
          code: null,
          message: null,
          metrics: {
            goodputKbps: (noise * kbps.reduce((sum, each) => sum + each, 0)) / kbps.length,
            totalKbps,
            jainIndex: 0.8 + 0.01 * block,
            timeToFairMs: block <= 2 ? 1_000 * block : null,
            queueMs: 20,
          },
          path: null,
          connections: null,
          machine: null,
          disturbed: null,
          stepsMs: {},
          files: {},
          startedAt: new Date(Date.UTC(2026, 10, 20, 10, block)).toISOString(),
          attempt: 1,
          invocation: invocations[0]?.id ?? '',
          details: {
            measuredBy,
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
        });
      }
    }
  }
  return {
    run,
    observations: observations as unknown as Fixture['observations'],
    calibrations: calibrations.map((each) => ({
      ...each,
      asked: { ...each.asked, condition: BOTTLENECK.name },
    })),
    invocations,
  };
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

/** What the sections of such a run are made of. */
export function viewOf(mixes: Readonly<Record<string, MadeUpMix>>, made?: Made): ReportView {
  const { run, observations, calibrations } = madeUpSharing(mixes, made);
  return reportView(run, summarise(run, observations, calibrations), observations);
}
