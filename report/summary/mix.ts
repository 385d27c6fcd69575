import type { Mix } from '../../ground/records/mix.ts';
import * as s from '../../ground/records/schema.ts';
import { type Estimate, estimateSchema } from '../../kit/text/estimate.ts';
import { verdictSchema } from '../../kit/text/verdict.ts';
import { mean } from '../../statistics/mean.ts';
import {
  type Stratum,
  stratifiedMean,
  stratifiedMeanInterval,
} from '../../statistics/stratified-mean.ts';
import {
  type WeightedValue,
  weightedQuantile,
  weightOf,
} from '../../statistics/weighted-quantile.ts';
import type { Block } from './blocks.ts';
import type { ComparisonSettings } from './compare.ts';
import { share, stacks, variant } from './fields.ts';
import { finite, testedPairs, type ValuePair } from './paired-values.ts';
import type { PrimaryQuestion } from './primary-questions.ts';
import { verdictOfInterval } from './verdict.ts';

/** A visitor hardly notices less. */
const LEAST_LOSS_MS = 10;
/** A larger share of visits without a pair could hide another answer. */
const MOST_LACKING_PERCENT = 5;
/** Share of visits that save most. */
const BEST_SHARE = 0.1;

const percentOfVisits = (description: string) => s.percent(`${description}, in percent.`);

export const mixAnswerSchema = s.object(
  {
    variant,
    ...stacks,
    isChosenAfterRun: s.flag('true: the mix is not that of the plan.'),
    conditions: s.list(
      s.object(
        {
          network: s.name('Name of the network condition.'),
          sharePercent: percentOfVisits('Its share of the visits'),
          nPairs: s.count('Pairs in which both loads are ok.'),
          nLacking: s.count('Begun blocks without such a pair.'),
          differenceMs: s.orNull(
            estimateSchema,
            'Mean over its pages of the mean difference of pairs in ms, at `level`. Below 0: less time. Null without pairs.',
          ),
        },
        'One network of the mix.',
      ),
      "In the plan's order.",
    ),
    lackingPercent: percentOfVisits('Share of visits without a pair'),
    level: share(
      'Share outside of the intervals: 0.05, shared alike among the answers by the mix.',
    ),
    differenceMs: s.orNull(
      estimateSchema,
      'Mean over the conditions, weighted by their shares. Null: a condition has no pair, or more than 5 % of visits lack one.',
    ),
    baselineMs: s.orNull(s.number("The baseline's mean in the same way.")),
    verdict: verdictSchema,
    bestTenthMs: s.orNull(
      s.anyNumber('At least 10 % of visits have this difference or a smaller one, in ms.'),
    ),
    losing: s.orNull(
      s.object(
        {
          aboveMs: s.number('The larger of the margin and 10 ms.'),
          sharePercent: percentOfVisits('Visits that take longer by more than this'),
          medianMs: s.orNull(s.number('Their median loss; null: no such visit.')),
        },
        'Visits that lose.',
      ),
    ),
  },
  'A stack against its baseline for a mix of visits. A visit is one pair of loads with the same network seed.',
);

export type MixAnswer = s.Static<typeof mixAnswerSchema>;

interface MixSettings
  extends Pick<ComparisonSettings, 'marginPercent' | 'metric' | 'significance'> {
  mix: Mix | undefined;
  planned: Mix | undefined;
}

/** Weighted answers over the conditions of a run, one for each stack and variant; empty without a mix. */
export function answerMix(
  questions: readonly PrimaryQuestion[],
  { mix, planned, ...settings }: MixSettings,
): MixAnswer[] {
  if (mix === undefined) return [];
  const groups = Map.groupBy(questions, ({ arm, baseline, variant: own }) =>
    JSON.stringify([own, arm.arm, baseline.arm]),
  );
  const level = settings.significance / groups.size;
  const total = Object.values(mix).reduce((sum, each) => sum + each, 0);
  return [...groups.values()].map((own) =>
    answerOf(own, {
      ...settings,
      level,
      shareOf: (network) => (mix[network] ?? 0) / total,
      isChosenAfterRun: !isSameMix(mix, planned),
    }),
  );
}

function isSameMix(mix: Mix, planned: Mix | undefined): boolean {
  return Object.entries(mix).every(([name, each]) => planned?.[name] === each);
}

interface AnswerSettings extends Pick<MixSettings, 'marginPercent' | 'metric'> {
  level: number;
  /** Share of a network, 0 to 1. */
  shareOf: (network: string) => number;
  isChosenAfterRun: boolean;
}

function answerOf(
  questions: readonly PrimaryQuestion[],
  { shareOf, level, isChosenAfterRun, metric, marginPercent }: AnswerSettings,
): MixAnswer {
  const [first] = questions as [PrimaryQuestion];
  const conditions = questions.map((question) => {
    const pages = question.subjects.map(({ blocks }) => pageOf(question, blocks, metric));
    return { network: question.network.name, pages, weight: shareOf(question.network.name) };
  });
  const lacking = conditions.reduce(
    (sum, { weight, pages }) => sum + weight * (mean(pages.map(lackingShare)) as number),
    0,
  );
  const isKnown =
    100 * lacking <= MOST_LACKING_PERCENT &&
    conditions.every(({ pages }) => pages.some(({ pairs }) => pairs.length > 0)) &&
    conditions.reduce((sum, { weight }) => sum + weight, 0) > 1 - 1e-9;
  const strata = conditions.flatMap(strataOf);
  const difference = isKnown ? estimateOf(strata.map(stratumOf), level) : null;
  const baselineMs = isKnown
    ? strata.reduce(
        (sum, { weight, pairs }) =>
          sum + weight * (mean(pairs.map(({ values: [, value] }) => value)) as number),
        0,
      )
    : null;
  const visits = strata.flatMap(({ weight, pairs }) =>
    pairs.map(({ values }) => ({ value: differenceOf(values), weight: weight / pairs.length })),
  );
  return {
    variant: first.variant,
    arm: first.arm.arm,
    baseline: first.baseline.arm,
    isChosenAfterRun,
    conditions: conditions.map((condition) => ({
      network: condition.network,
      sharePercent: 100 * condition.weight,
      nPairs: sum(condition.pages, ({ pairs }) => pairs.length),
      nLacking: sum(condition.pages, ({ nLacking }) => nLacking),
      differenceMs: estimateOf(strataOf({ ...condition, weight: 1 }).map(stratumOf), level),
    })),
    lackingPercent: 100 * lacking,
    level,
    differenceMs: difference,
    baselineMs,
    verdict:
      difference && baselineMs
        ? verdictOfInterval(
            ratioTo(difference, baselineMs),
            { nPairs: visits.length, nBothFailed: 0 },
            { marginPercent, metric },
          )
        : 'undecided',
    bestTenthMs: difference && weightedQuantile(visits, BEST_SHARE),
    losing: baselineMs === null ? null : losingOf(visits, (baselineMs * marginPercent) / 100),
  };
}

interface PageOfMix {
  pairs: { values: ValuePair; browsers: string }[];
  nLacking: number;
}

/** Pairs of ok loads of a page. A failed load has no time, so that its pair is missing from means. */
function pageOf(
  { arm, baseline }: PrimaryQuestion,
  blocks: readonly Block[],
  metric: MixSettings['metric'],
): PageOfMix {
  const pairs = testedPairs(blocks, metric, arm.arm, baseline.arm).filter(({ values }) =>
    values.every(Number.isFinite),
  );
  const begun = blocks.filter(({ made }) =>
    made.some((load) => load.arm === arm.arm || load.arm === baseline.arm),
  );
  return { pairs, nLacking: begun.length - pairs.length };
}

/** Of a page that was never loaded: 1. */
function lackingShare({ pairs, nLacking }: PageOfMix): number {
  return pairs.length === 0 ? 1 : nLacking / (nLacking + pairs.length);
}

/** Pages with pairs; all pages of a condition weigh the same. */
function strataOf({ pages, weight }: { pages: readonly PageOfMix[]; weight: number }) {
  const known = pages.filter(({ pairs }) => pairs.length > 0);
  return known.map(({ pairs }) => ({ weight: weight / known.length, pairs }));
}

function stratumOf({ weight, pairs }: { weight: number; pairs: PageOfMix['pairs'] }): Stratum {
  const groups = [...Map.groupBy(pairs, ({ browsers }) => browsers).values()];
  return { weight, groups: groups.map((own) => own.map(({ values }) => differenceOf(values))) };
}

function differenceOf([value, baseline]: ValuePair): number {
  return value - baseline;
}

function estimateOf(strata: readonly Stratum[], level: number): Estimate | null {
  const found = stratifiedMean(strata);
  if (found === null) return null;
  const interval = stratifiedMeanInterval(found, level);
  return {
    estimate: found.estimate,
    low: finite(interval?.low),
    high: finite(interval?.high),
  };
}

/** A difference as a ratio to the baseline. */
function ratioTo({ estimate, low, high }: Estimate, baselineMs: number): Estimate {
  const ratio = (value: number) => 1 + value / baselineMs;
  return {
    estimate: Math.max(0, ratio(estimate)),
    low: low === null ? null : ratio(low),
    high: high === null ? null : ratio(high),
  };
}

function losingOf(visits: readonly WeightedValue[], marginMs: number): MixAnswer['losing'] {
  const aboveMs = Math.max(LEAST_LOSS_MS, marginMs);
  const losing = visits.filter(({ value }) => value > aboveMs);
  return {
    aboveMs,
    sharePercent: Math.min(100, (100 * weightOf(losing)) / weightOf(visits)),
    medianMs: weightedQuantile(losing, 0.5),
  };
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
