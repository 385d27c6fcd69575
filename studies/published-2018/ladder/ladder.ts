import { verdictMetric } from '../../../experiments/index.ts';
import { subjectConditionKey } from '../../../ground/records/cell.ts';
import { DamagedRunError } from '../../../ground/records/damaged-run.ts';
import { variantsOf } from '../../../ground/records/factors.ts';
import {
  conditionFieldsOf,
  type NetworkCondition,
  networkKey,
} from '../../../ground/records/network.ts';
import type { RunRecord } from '../../../ground/records/run.ts';
import { type Estimate, ratioWithInterval } from '../../../kit/text/estimate.ts';
import { countWithNoun } from '../../../kit/text/number.ts';
import { sentences } from '../../../kit/text/sentences.ts';
import type { Verdict } from '../../../kit/text/verdict.ts';
import { blocksOf } from '../../../report/summary/blocks.ts';
import { pairedLogRatios } from '../../../report/summary/compare.ts';
import type { PrimaryAnswer } from '../../../report/summary/comparison.ts';
import type { MeasuredRun } from '../../../report/summary/measured-run.ts';
import { ratioChange } from '../../../report/summary/ratio-change.ts';
import { seedOf } from '../../../report/summary/seed.ts';
import { verdictOfInterval } from '../../../report/summary/verdict.ts';
import { median } from '../../../statistics/median.ts';
import { readRunOfSeries } from '../../run-of-series.ts';
import { pooledChange } from './pooled-change.ts';
import { type PublishedClaim, publishedClaim } from './published-claim.ts';
import { type AblationStep, LADDER, LADDER_NAME } from './steps.ts';

type MeasuredPart = Awaited<ReturnType<typeof readRunOfSeries>>;

export interface LadderStep extends Omit<AblationStep, 'options'> {
  state: MeasuredPart['state'];
  /** null: no result. */
  result: StepResult | null;
  /** Its ratio / that of the step before: geometric mean over the common sites; null: a step has no result. */
  ratioChange: Estimate | null;
  /** null: no ratioChange. */
  changeVerdict: Verdict | null;
}

export interface StepResult extends MeasuredRun {
  answer: PrimaryAnswer;
  /** Median of the sites' ratios; null: no pairs. */
  medianOfSites: number | null;
}

/** The steps of a ladder up to one of them. Ratios are QUIC / HTTPS; nothing is rounded. */
export interface Ladder {
  steps: LadderStep[];
  /** The last step's ratio / the first's; null: a step has no result. */
  whole: Estimate | null;
  subjects: string[];
  /** null: no step has a result. */
  network: NetworkCondition | null;
  marginPercent: number;
  published: PublishedClaim;
  /** As sentences. */
  warnings: string[];
  sentences: string[];
}

/**
 * Combines the runs of a ladder. Loads of different runs are never paired: changes are ratios of the runs' ratios, site by site. The
 * same runs give the same numbers.
 * @throws DamagedRunError if a run is damaged or belongs to another ladder
 */
export async function readLadder(
  folder: string,
  steps: readonly AblationStep[] = LADDER,
): Promise<Ladder> {
  const parts: MeasuredPart[] = [];
  for (const step of steps) parts.push(await readRunOfSeries({ name: LADDER_NAME }, step, folder));
  assertOneLadder(steps, parts);
  const results = parts.map(({ measured }) => measured && resultOf(measured));
  const first = results.find((result) => result !== null);
  const marginPercent = first?.summary.analysis.marginPercent ?? 5;
  const network = first?.run.networks[0];
  const subjects = first?.run.subjects.map(({ subject }) => subject) ?? [];
  const read = steps.map(({ options: _, ...step }, index): LadderStep => {
    const [before, result = null] = [results[index - 1], results[index]];
    const change = before && result ? changeBetween(before, result) : null;
    return {
      ...step,
      state: parts[index]?.state ?? 'not measured',
      result,
      ratioChange: change,
      changeVerdict:
        change &&
        verdictOfInterval(change, { nPairs: 1, nBothFailed: 0 }, { marginPercent, metric: TIME }),
    };
  });
  const [bottom, top] = [results.at(0), results.at(-1)];
  const whole = bottom && top && results.length > 1 ? changeBetween(bottom, top) : null;
  return {
    steps: read,
    whole,
    subjects,
    network: network ? conditionFieldsOf(network) : null,
    marginPercent,
    published: publishedClaim(network?.rttMs ?? null, subjects),
    warnings: read.flatMap(warningsOf),
    sentences: sentencesOf(read, whole),
  };
}

/** Durations decide between steps. */
const TIME = { better: 'lower' } as const;

const ALIKE: readonly (readonly [what: string, of: (run: RunRecord) => string])[] = [
  [
    'sites',
    ({ subjects }) => subjects.map((each) => `${each.subject} ${each.manifestSha256}`).join(),
  ],
  ['networks', ({ networks }) => networks.map(networkKey).join()],
  ['repetitions', ({ repetitions }) => String(repetitions)],
];

/** @throws DamagedRunError for steps that cannot be compared, with their difference */
function assertOneLadder(steps: readonly AblationStep[], parts: readonly MeasuredPart[]): void {
  const runs = steps.flatMap(({ folder }, index) => {
    const run = parts[index]?.measured?.run;
    return run ? [{ folder, run }] : [];
  });
  const [first] = runs;
  for (const { folder, run } of runs) {
    const own = run.arms.filter(({ controlOf }) => controlOf === null);
    const variants = variantsOf(run);
    if (run.networks.length !== 1 || variants.length !== 1 || own.length !== 2) {
      throw new DamagedRunError(
        `${folder} has ${run.networks.length} networks, ${variants.length} kinds of visit and ${own.length} stacks, expected 1, 1 and 2: a step is one number.`,
      );
    }
    for (const [what, of] of ALIKE) {
      if (first === undefined || of(first.run) === of(run)) continue;
      throw new DamagedRunError(
        `${first.folder} and ${folder} have different ${what}, so they do not belong to one ladder. Measure the wrong one again.`,
      );
    }
  }
}

function resultOf(measured: MeasuredRun): StepResult | null {
  const { primary, comparisons } = measured.summary;
  const [answer] = primary;
  if (!answer) return null;
  const ratios = comparisons.flatMap(({ ratio }) => ratio?.estimate ?? []);
  return { ...measured, answer, medianOfSites: median(ratios) };
}

/** Log ratios of the pairs of each site. */
function logRatiosOf({ run, summary, observations, answer }: StepResult): Map<string, number[]> {
  const { arm, baseline, network, variant } = answer;
  const blocks = blocksOf(run, observations);
  const metric = verdictMetric(summary);
  return new Map(
    run.subjects.map(({ subject }) => {
      const key = subjectConditionKey({ subject, network: { name: network }, variant });
      return [subject, pairedLogRatios(blocks.get(key) ?? [], metric, arm, baseline)];
    }),
  );
}

/** Factor between the ratios of two steps, over the sites with pairs in both. */
function changeBetween(first: StepResult, second: StepResult): Estimate | null {
  const ofSecond = logRatiosOf(second);
  const runs = [first.run, second.run];
  const changes = [...logRatiosOf(first)].flatMap(([subject, logRatios]) => {
    const names = [
      ...runs.map(({ seed }) => `${seed}`),
      ...runs.map(({ runId }) => runId),
      subject,
    ];
    // Part of the seed: another word would change published intervals.
    const seed = seedOf(first.run.seed, 'rung', ...names);
    return ratioChange(logRatios, ofSecond.get(subject) ?? [], { seed }) ?? [];
  });
  return pooledChange(changes);
}

function warningsOf({ title, state, result }: LadderStep, index: number): string[] {
  const name = `Step ${index} (${title})`;
  if (state === 'not measured') return [`${name} has not been measured.`];
  if (state === 'interrupted') {
    return [`${name} was interrupted, and is excluded here.`];
  }
  const broken = result?.summary.exclusions.blocks.nBroken ?? 0;
  return sentences(
    result?.summary.warnings.map((warning) => `${name}: ${warning}`),
    broken > 0 &&
      `${name}: ${countWithNoun(broken, 'pair')} of loads ${broken === 1 ? 'is' : 'are'} excluded, because a load failed or was invalid. Its own report has the reasons.`,
  );
}

/** The changes, for readers without statistics. */
function sentencesOf(steps: readonly LadderStep[], whole: Estimate | null): string[] {
  const size = ({ ratioChange: change }: LadderStep) => Math.abs(Math.log(change?.estimate ?? 1));
  const known = steps.filter((step) => step.ratioChange !== null);
  const decided = known
    .filter(({ changeVerdict: verdict }) => verdict === 'faster' || verdict === 'slower')
    .toSorted((a, b) => size(b) - size(a));
  const undecided = known.length - decided.length;
  return sentences(
    whole &&
      `From the first step to the last the ratio of QUIC to HTTPS changed by a factor of ${ratioWithInterval(whole)}.`,
    decided.length > 0 &&
      `Changes whose interval excludes 1, the largest first: ${decided.map(({ title, ratioChange: change }) => `${title} × ${change ? ratioWithInterval(change) : '–'}`).join(', ')}.`,
    known.length > 0 && undecided === 0 && 'Every change had an effect.',
    undecided > 0 &&
      `It is undecided whether ${countWithNoun(undecided, 'other change')} made QUIC look better or worse.`,
  );
}
