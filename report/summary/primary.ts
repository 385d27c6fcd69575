import { fixedSites } from '../../statistics/fixed-sites.ts';
import { hierarchicalBootstrap } from '../../statistics/hierarchical-bootstrap.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { TAIL_PROBABILITY } from '../../statistics/interval.ts';
import { logRatios } from '../../statistics/log-ratios.ts';
import { mean } from '../../statistics/mean.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import { tQuantile } from '../../statistics/t-distribution.ts';
import { answerSentence } from '../text/answer.ts';
import { ratioOf } from '../text/estimate.ts';
import { namesText, withoutRatio } from '../text/left-out.ts';
import { counted } from '../text/number.ts';
import type { Verdict } from '../text/verdict.ts';
import type { Block } from './blocks.ts';
import type { ComparisonSettings } from './compare.ts';
import type { Comparison, PagesLikeThese, PrimaryAnswer } from './comparison.ts';
import { estimateAt, type Told, tellFamily } from './family.ts';
import { machineNotes } from './machine-notes.ts';
import { judgedPairs } from './paired-values.ts';
import type { PrimaryQuestion } from './primary-questions.ts';
import { seedOf } from './seed.ts';
import { type Seen, seenIn } from './seen.ts';

/** One look at a run, which may have ended it. */
export interface RunLook {
  /** It saw the loads up to this number. */
  order: number;
  /** How much of the error may have been spent by then, 0 to 1. */
  fraction: number;
}

/** The one look at a run whose repetitions were fixed. */
export const ONE_LOOK: readonly RunLook[] = [{ order: Number.POSITIVE_INFINITY, fraction: 1 }];

/** What the looks tell of the questions of a run, as one family (`tellFamily`). */
export function tellQuestions(
  questions: readonly PrimaryQuestion[],
  settings: Pick<ComparisonSettings, 'marginPercent' | 'metric'>,
  looks: readonly RunLook[],
): Told[] {
  const seenAt = looks.map(({ order, fraction }) => ({
    fraction,
    evidence: questions.map((question) =>
      seenOf(question, settings, ({ made }) => made.every((load) => load.order <= order)),
    ),
  }));
  return tellFamily(seenAt, settings);
}

/** Answers the questions of a run. Estimates and intervals are those of all loads, at the level of what is told. */
export function answerPrimary(
  questions: readonly PrimaryQuestion[],
  settings: ComparisonSettings,
  looks: readonly RunLook[] = ONE_LOOK,
): PrimaryAnswer[] {
  const told = tellQuestions(questions, settings, looks);
  return questions.map((question, index) => answerTo(question, told[index] as Told, settings));
}

function answerTo(
  question: PrimaryQuestion,
  { verdict, level, afterPairs }: Told,
  settings: ComparisonSettings,
): PrimaryAnswer {
  const { arm, baseline, network, variant, likeForLike, subjects, comparisons } = question;
  const seen = seenOf(question, settings, () => true);
  const isDisturbed = subjects.some(({ blocks }) => blocks.some(({ disturbed }) => disturbed));
  const undisturbed = isDisturbed
    ? seenOf(question, settings, ({ disturbed }) => !disturbed).ratio
    : null;
  const names = [arm.arm, baseline.arm] as const;
  const { nPairs, nFailed } = seen;
  const leftOut = subjects
    .filter((subject) => !seen.sites.includes(subject))
    .map(({ subject }) => subject);
  const numbers = {
    nSites: seen.sites.length,
    nPairs,
    nFailed,
    ratio: ratioOf(estimateAt(seen.ratio, level)),
    difference: estimateAt(seen.difference, level),
    level,
    verdict,
    toldAfterPairs: afterPairs,
  };
  return {
    network: network.name,
    variant,
    arm: arm.arm,
    baseline: baseline.arm,
    likeForLike,
    ...numbers,
    sentence: answerSentence(
      { ...question, subjects: seen.sites },
      { ...numbers, isTooFew: seen.ratio?.errors === null },
      settings,
    ),
    verdicts: countVerdicts(comparisons),
    ratioWithoutDisturbed: ratioOf(estimateAt(undisturbed, level)),
    pagesLikeThese: pagesLikeThese(
      seen.finiteBySite,
      seedOf(settings.seed, 'pooled', network.name, variant, ...names),
    ),
    leftOut,
    notes: [
      ...(seen.sites.length === 0 ? [] : leftOutNotes(leftOut, network, settings)),
      ...machineNotes(
        { arm, baseline },
        subjects.flatMap(({ blocks }) => blocks),
        settings.experiment.attempt,
      ),
    ],
  };
}

/** Which subjects an answer does not speak of. */
function leftOutNotes(
  names: readonly string[],
  network: PrimaryQuestion['network'],
  { experiment: { attempt, subject: nouns }, metric }: ComparisonSettings,
): string[] {
  if (names.length === 0) return [];
  return [
    `${counted(names.length, ...nouns)} left out, of which ${withoutRatio(network, metric, attempt[1])}: ${namesText(names)}.`,
  ];
}

function seenOf(
  { arm, baseline, network, subjects }: PrimaryQuestion,
  { metric }: Pick<ComparisonSettings, 'metric'>,
  keep: (block: Block) => boolean,
): Seen<PrimaryQuestion['subjects'][number]> {
  const found = subjects.map((site) => ({
    site,
    pairs: judgedPairs(site.blocks.filter(keep), metric, arm.arm, baseline.arm),
  }));
  return seenIn(found, { network, metric }, logRatios);
}

function countVerdicts(comparisons: readonly Comparison[]): Record<Verdict, number> {
  const counts = { faster: 0, slower: 0, same: 0, 'cannot tell': 0 };
  for (const { verdict } of comparisons) counts[verdict] += 1;
  return counts;
}

/** Fewer sites say next to nothing of others. */
const FEWEST_SITES_FOR_OTHERS = 5;

/**
 * What the sites say of others that they are a sample of: the mean ratio of such sites, and where the ratio of one more of them is to
 * be expected (prediction interval: Higgins, Thompson and Spiegelhalter 2009, doi:10.1111/j.1467-985X.2008.00552.x). Null below 5
 * sites.
 * @param logRatiosBySite of pairs in which both loads ended
 */
export function pagesLikeThese(
  logRatiosBySite: readonly (readonly number[])[],
  seed: number,
): PagesLikeThese | null {
  const subjects = logRatiosBySite.filter(({ length }) => length > 0);
  if (subjects.length < FEWEST_SITES_FOR_OTHERS) return null;
  const population = hierarchicalBootstrap(subjects, { seed });
  if (population === null) return null;
  const { ratio, low, high } = population;
  return {
    nSites: subjects.length,
    ratio: { estimate: ratio, low, high },
    ofOneMore: predicted(subjects),
  };
}

function predicted(subjects: readonly (readonly number[])[]): { low: number; high: number } {
  const estimates = subjects.map((values) => hodgesLehmann(values) as number);
  const spread = (standardDeviation(estimates) as number) ** 2;
  const noise = mean(subjects.map(errorSquared)) as number;
  const between = Math.max(0, spread - noise);
  const t = tQuantile(1 - TAIL_PROBABILITY, subjects.length - 2);
  const reach = t * Math.sqrt(between + spread / subjects.length);
  const centre = mean(estimates) as number;
  return { low: Math.exp(centre - reach), high: Math.exp(centre + reach) };
}

/** What of the spread of the sites is the noise of their pairs; 0 where nothing is known of it. */
function errorSquared(values: readonly number[]): number {
  const errors = fixedSites([[values]])?.errors;
  return errors ? ((errors.below + errors.above) / 2) ** 2 : 0;
}
