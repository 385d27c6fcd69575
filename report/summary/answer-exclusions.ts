import { type Experiment, type Metric, numberOf } from '../../ground/experiment.ts';
import { isFailureOfStack, NOT_TOGETHER } from '../../ground/records/counted-loads.ts';
import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import {
  estimateSchema,
  estimateText,
  probabilityText,
  ratioText,
} from '../../kit/text/estimate.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { type Verdict, verdictSchema, verdictWord } from '../../kit/text/verdict.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import type { Block } from './blocks.ts';
import { countOfBoth, probability } from './fields.ts';
import type { NamedPair } from './machine-notes.ts';

/**
 * Below this p the counts of two stacks are lopsided. By chance at most one question in ten is; five against zero is
 * (0.0625). A false warning costs a reader a sentence, a missed one the answer.
 */
const LOPSIDED = 0.1;

export const exclusionsSchema = s.object(
  {
    nMade: countOfBoth('Loads of these blocks.'),
    nExcluded: countOfBoth('Of these, the excluded ones.'),
    nAlone: countOfBoth(
      "Of these, those of blocks in which the other stack's load is not excluded.",
    ),
    p: probability('Exact two-sided sign test of `nAlone`; null: both are 0.'),
    warning: s.orNull(
      s.text(
        'That `p` is below 0.1, so that what excluded loads may be part of the result; null: it is not.',
      ),
    ),
    asSlowest: s.object(
      {
        ratio: s.orNull(estimateSchema, 'As that of the answer; null: too many for one.'),
        verdict: s.withDescription(
          verdictSchema,
          'As that of the answer, over all loads at `level`.',
        ),
      },
      'The answer with each excluded load counted as worse than all that ended, as failures are.',
    ),
  },
  'Loads that are in no pair though they were made: they were not the intended load, or the client, the path or the bench broke them, or they lack the metric. Unsupported ones are not among them.',
);

export type Exclusions = s.Static<typeof exclusionsSchema>;

interface WordSettings {
  metric: Metric;
  experiment: Pick<Experiment, 'attempt'>;
}

/** Number of events of each of two stacks. */
type Counts = Exclusions['nAlone'];

type ExclusionCounts = Pick<Exclusions, 'nMade' | 'nExcluded' | 'nAlone'>;

/** Why a load is in no pair, in one word; null: it is in a pair, or was not meant to be. */
function exclusionReason(
  { loads, failed, onSeveralMachines }: Block,
  load: Observation,
  metric: Metric,
) {
  if (onSeveralMachines || failed.has(load.arm) || load.outcome === 'unsupported') return null;
  if (load.outcome === 'ok') {
    const isMissing = loads.get(load.arm) === load && !((numberOf(load, metric) ?? 0) > 0);
    return isMissing ? `no ${metric.phrase}` : null;
  }
  // Arms that are measured together are excluded together.
  if (isFailureOfStack(load.code) || load.code === NOT_TOGETHER) return null;
  return load.code ?? load.outcome;
}

function exclusionReasonsOf(block: Block, arm: string, metric: Metric): string[] {
  const own = block.made.filter((load) => load.arm === arm);
  return own.flatMap((load) => exclusionReason(block, load, metric) ?? []);
}

/** Blocks in which only one of two stacks had the event. Blocks without a load of both are ignored. */
function countUnmatched(
  { arm, baseline }: NamedPair,
  blocks: readonly Block[],
  occurs: (block: Block, arm: string) => boolean,
): Counts {
  const whole = blocks.filter(({ made }) =>
    [arm, baseline].every((one) => made.some((load) => load.arm === one.arm)),
  );
  const only = (one: string, other: string) =>
    whole.filter((block) => occurs(block, one) && !occurs(block, other)).length;
  return { arm: only(arm.arm, baseline.arm), baseline: only(baseline.arm, arm.arm) };
}

function countExclusions(
  pair: NamedPair,
  blocks: readonly Block[],
  metric: Metric,
): ExclusionCounts {
  const of = (numberIn: (arm: string) => number): Counts => ({
    arm: numberIn(pair.arm.arm),
    baseline: numberIn(pair.baseline.arm),
  });
  const sum = (numberIn: (block: Block, arm: string) => number) =>
    of((arm) => blocks.reduce((total, block) => total + numberIn(block, arm), 0));
  return {
    nMade: sum(({ made }, arm) => made.filter((load) => load.arm === arm).length),
    nExcluded: sum((block, arm) => exclusionReasonsOf(block, arm, metric).length),
    nAlone: countUnmatched(
      pair,
      blocks,
      (block, arm) => exclusionReasonsOf(block, arm, metric).length > 0,
    ),
  };
}

export function withExcludedAsFailed(
  blocks: readonly Block[],
  { arm, baseline }: NamedPair,
  metric: Metric,
): Block[] {
  return blocks.map((block) => {
    const loads = new Map(block.loads);
    const failed = new Map(block.failed);
    for (const load of block.made) {
      const isOfPair = load.arm === arm.arm || load.arm === baseline.arm;
      if (!isOfPair || exclusionReason(block, load, metric) === null) continue;
      loads.delete(load.arm);
      failed.set(load.arm, load);
    }
    return { ...block, loads, failed };
  });
}

/** The exact sign test; null: no events. */
function signTest({ arm, baseline }: Counts): number | null {
  const signs = [...Array(arm).fill(1), ...Array(baseline).fill(-1)];
  return wilcoxonSignedRank(signs)?.p ?? null;
}

/** Sentences if one of two stacks had an event more often than chance would explain; null: it did not. */
function lopsided(
  { arm, baseline }: NamedPair,
  nAlone: Counts,
  { what, meaning }: { what: string; meaning: string },
): string | null {
  const p = signTest(nAlone);
  if (p === null || p >= LOPSIDED) return null;
  return `${arm.label} alone ${what} in ${countWithNoun(nAlone.arm, 'block')} and ${baseline.label} alone in ${countText(nAlone.baseline)}, more than chance would have it (sign test, p ${probabilityText(p)}). ${meaning}`;
}

function lopsidedExclusions(
  pair: NamedPair,
  nAlone: Counts,
  { experiment }: WordSettings,
): string | null {
  const what = `has an excluded ${experiment.attempt[0]}`;
  const meaning = 'What excluded them may be part of the result.';
  return lopsided(pair, nAlone, { what, meaning });
}

export function lopsidedNotes(
  pair: NamedPair,
  blocks: readonly Block[],
  settings: WordSettings,
): string[] {
  const { metric } = settings;
  const failed = countUnmatched(pair, blocks, (block, arm) => block.failed.has(arm));
  const meaning = `Failures count as ${metric.words[1]} than all that ended; the exclusions list why they failed.`;
  return sentences(
    lopsidedExclusions(pair, countExclusions(pair, blocks, metric).nAlone, settings),
    lopsided(pair, failed, { what: 'failed', meaning }),
  );
}

/** Why loads of a stack are excluded: `resumed 3, network-failed 1`. */
function reasons(arm: string, blocks: readonly Block[], metric: Metric): string {
  const codes = blocks.flatMap((block) => exclusionReasonsOf(block, arm, metric));
  const groups = [...Map.groupBy(codes, (code) => code)];
  return groups.map(([code, { length }]) => `${code} ${countText(length)}`).join(', ');
}

/**
 * Exclusions of an answer, and what they could change; null: no exclusions.
 * @param verdict that of the answer
 */
export function exclusionsOf(
  pair: NamedPair,
  blocks: readonly Block[],
  asSlowest: () => Exclusions['asSlowest'],
  { verdict, settings }: { verdict: Verdict; settings: WordSettings },
): { exclusions: Exclusions; note: string } | null {
  const { metric, experiment } = settings;
  const counts = countExclusions(pair, blocks, metric);
  if (counts.nExcluded.arm + counts.nExcluded.baseline === 0) return null;
  const slowest = asSlowest();
  const part = (side: 'arm' | 'baseline') => {
    const { arm, label } = pair[side];
    const why = reasons(arm, blocks, metric);
    return `${countText(counts.nExcluded[side])} of ${countWithNoun(counts.nMade[side], ...experiment.attempt)} of ${label}${why && ` (${why})`}`;
  };
  const uncounted = (['arm', 'baseline'] as const)
    .filter((side) => counts.nExcluded[side] === counts.nMade[side])
    .map(
      (side) =>
        ` No ${experiment.attempt[0]} of ${pair[side].label} counts, so nothing is known of how fast it is.`,
    );
  const ratio = estimateText(slowest.ratio, ratioText);
  const words = verdictWord(slowest.verdict, metric);
  const change =
    slowest.verdict === verdict
      ? `stays ${words}`
      : `would be ${words}, not ${verdictWord(verdict, metric)}`;
  return {
    exclusions: {
      ...counts,
      p: signTest(counts.nAlone),
      warning: lopsidedExclusions(pair, counts.nAlone, settings),
      asSlowest: slowest,
    },
    note: `Excluded: ${part('arm')}, ${part('baseline')}.${uncounted.join('')} With each of them counted as ${metric.words[1]} than all that ended: ${ratio === null ? 'too many for a ratio' : `ratio ${ratio}`}, and the verdict ${change}.`,
  };
}
