import { type Metric, worsening } from '../../ground/experiment.ts';
import { firstNames } from '../../ground/first-names.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import { ratioOf } from '../../kit/text/estimate.ts';
import { missingRatioReason } from '../../kit/text/excluded-sites.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import type { Verdict } from '../../kit/text/verdict.ts';
import { fixedSites } from '../../statistics/fixed-sites.ts';
import { hierarchicalBootstrap } from '../../statistics/hierarchical-bootstrap.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { TAIL_PROBABILITY } from '../../statistics/interval.ts';
import { logRatios } from '../../statistics/log-ratios.ts';
import { mean } from '../../statistics/mean.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import { tQuantile } from '../../statistics/t-distribution.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import {
  type Exclusions,
  exclusionsOf,
  lopsidedNotes,
  withExcludedAsFailed,
} from './answer-exclusions.ts';
import type { Block } from './blocks.ts';
import type { ComparisonSettings } from './compare.ts';
import type { Comparison, PagesLikeThese, PrimaryAnswer } from './comparison.ts';
import { type Decision, decideFamily, estimateAt, verdictAt } from './family.ts';
import { machineNotes } from './machine-notes.ts';
import { testedPairs } from './paired-values.ts';
import { contrastAt, type PooledEvidence, pool } from './pooled-evidence.ts';
import type { PlannedPair, PrimaryQuestion } from './primary-questions.ts';
import { seedOf } from './seed.ts';
import { SIGNIFICANCE } from './verdict.ts';

/** One interim look at a run, which may have ended it. */
export interface RunLook {
  /** It saw the loads up to this number. */
  order: number;
  /** Share of the error that may have been spent by then, 0 to 1. */
  fraction: number;
  /** Conditions that get no further blocks; absent: none. */
  decided?: LookRecord['decided'];
}

/** Runs end at estimates far from 1 more often; `npm run bench:stopping` measures this. */
const ENDED_EARLY =
  'This condition ended before the budget because its answer was precise. Such estimates exaggerate: on average by up to a quarter of the difference, and by more where it is smaller than the margin.';

/** The only look at a run with fixed repetitions. */
export const ONE_LOOK: readonly RunLook[] = [{ order: Number.POSITIVE_INFINITY, fraction: 1 }];

/** Decides the questions of a run, as one family (`decideFamily`). */
export function decideQuestions(
  questions: readonly PrimaryQuestion[],
  settings: Pick<ComparisonSettings, 'marginPercent' | 'metric' | 'family'>,
  looks: readonly RunLook[],
): Decision[] {
  const looksByQuestion = questions.map((question) =>
    looksAt(question, looks).map((look) => ({
      fraction: look.fraction,
      evidence: poolSites(question, settings, isBeforeLook(look)),
    })),
  );
  return decideFamily(looksByQuestion, settings);
}

/** The looks at a question. Once its condition is decided, no further load is made, and no error may be spent. */
export function looksAt(
  question: Pick<PrimaryQuestion, 'network' | 'variant'>,
  looks: readonly RunLook[],
): readonly RunLook[] {
  const last = looks.findIndex((look) => isDecidedAt(look, question));
  return last === -1 ? looks : looks.slice(0, last + 1);
}

export function isBeforeLook({ order }: RunLook): (block: Block) => boolean {
  return ({ made }) => made.every((load) => load.order <= order);
}

/** Answers the questions of a run. Estimates and intervals are those of all loads, at the level of the last look at each. */
export function answerPrimary(
  questions: readonly PrimaryQuestion[],
  settings: ComparisonSettings,
  looks: readonly RunLook[] = ONE_LOOK,
): PrimaryAnswer[] {
  const decisions = decideQuestions(questions, settings, looks);
  return questions.map((question, index) =>
    answerTo(question, decisions[index] as Decision, {
      ...settings,
      nQuestions: settings.family ?? questions.length,
      endedEarly: endedEarly(question, looks),
    }),
  );
}

/** Whether the loads of a question ended because it was decided, not because the run ended. */
function endedEarly(question: PrimaryQuestion, looks: readonly RunLook[]): boolean {
  const last = looksAt(question, looks).at(-1);
  return last !== undefined && last.fraction < 1 && isDecidedAt(last, question);
}

function isDecidedAt(
  { decided = [] }: RunLook,
  { network, variant }: Pick<PrimaryQuestion, 'network' | 'variant'>,
): boolean {
  return decided.some((each) => each.network === network.name && each.variant === variant);
}

function answerTo(
  question: PrimaryQuestion,
  { verdict, level, afterPairs }: Decision,
  settings: ComparisonSettings & { nQuestions: number; endedEarly: boolean },
): PrimaryAnswer {
  const { arm, baseline, network, variant, likeForLike, subjects, comparisons } = question;
  const pooled = poolSites(question, settings, () => true);
  const isDisturbed = subjects.some(({ blocks }) => blocks.some(({ disturbed }) => disturbed));
  const undisturbed = isDisturbed
    ? poolSites(question, settings, ({ disturbed }) => !disturbed).ratio
    : null;
  const blocks = subjects.flatMap((subject) => subject.blocks);
  const excluded = exclusionsOf(
    { arm, baseline },
    blocks,
    () => withExcludedAsSlowest(question, level, settings),
    { verdict, settings },
  );
  const names = [arm.arm, baseline.arm] as const;
  const excludedSites = excludedSitesOf(question, pooled);
  const numbers = contrastAt(pooled, level, verdict);
  return {
    network: network.name,
    variant,
    arm: arm.arm,
    baseline: baseline.arm,
    likeForLike,
    ...numbers,
    ...(pooled.sittingFactor !== null && { sittingFactor: pooled.sittingFactor }),
    decidedAfterPairs: afterPairs,
    verdicts: countVerdicts(subjects.length === 1 ? [{ verdict }] : comparisons),
    ratioWithoutDisturbed: ratioOf(estimateAt(undisturbed, level)),
    pagesLikeThese: pagesLikeThese(
      pooled.finiteBySite,
      seedOf(settings.seed, 'pooled', network.name, variant, ...names),
    ),
    excludedSites,
    exclusions: excluded?.exclusions ?? null,
    notes: sentences(
      settings.endedEarly && verdict !== 'same' && numbers.ratio !== null && ENDED_EARLY,
      lopsidedNotes({ arm, baseline }, blocks, settings),
      excluded?.note,
      pooled.sites.length > 0 && excludedSitesNote(excludedSites, network, settings),
      machineNotes({ arm, baseline }, blocks, settings.experiment),
    ),
  };
}

/**
 * The answer with each excluded load counted as a failure. If they leave no ratio, the signed ranks of all pairs decide, with
 * these loads worse than any that counts. The level is that of the answer, and that of Bonferroni if no look had one.
 */
function withExcludedAsSlowest(
  question: PrimaryQuestion,
  level: number,
  settings: ComparisonSettings & { nQuestions: number },
): Exclusions['asSlowest'] {
  const { metric, nQuestions } = settings;
  const subjects = question.subjects.map((each) => ({
    ...each,
    blocks: withExcludedAsFailed(each.blocks, question, metric),
  }));
  const pooled = poolSites({ ...question, subjects }, settings, () => true);
  const atMost = Math.min(level, SIGNIFICANCE / nQuestions);
  const ratio = ratioOf(estimateAt(pooled.ratio, atMost));
  const verdict =
    ratio === null ? verdictByRanks(pooled, atMost, metric) : verdictAt(pooled, atMost, settings);
  return { ratio, verdict };
}

function verdictByRanks(
  { finiteBySite, failures }: Pick<PooledEvidence<unknown>, 'finiteBySite' | 'failures'>,
  level: number,
  metric: Pick<Metric, 'better'>,
): Verdict {
  const test = wilcoxonSignedRank([
    ...finiteBySite.flat().map((log) => worsening(log, metric)),
    ...failures.map((side) => side * Number.POSITIVE_INFINITY),
  ]);
  if (test === null || test.p >= level) return 'undecided';
  return test.rankSumAbove > test.rankSumBelow ? 'slower' : 'faster';
}

/** The subjects that an answer excludes. */
export function excludedSitesOf({ subjects }: PrimaryQuestion, { sites }: PooledSites): string[] {
  return subjects.filter((each) => !sites.includes(each)).map(({ subject }) => subject);
}

/** The same as a sentence; null: no subject is excluded. */
export function excludedSitesNote(
  names: readonly string[],
  network: PrimaryQuestion['network'],
  {
    experiment: { attempt, subject: nouns },
    metric,
  }: Pick<ComparisonSettings, 'experiment' | 'metric'>,
): string | null {
  if (names.length === 0) return null;
  return `${countWithNoun(names.length, ...nouns)} excluded, of which ${missingRatioReason(network, metric, attempt[1])}: ${firstNames(names, 3)}.`;
}

/** The pairs of a question, with their subjects. */
export type PooledSites = PooledEvidence<PrimaryQuestion['subjects'][number]>;

export function poolSites(
  { arm, baseline, network, subjects, alongside }: PrimaryQuestion,
  { metric }: Pick<ComparisonSettings, 'metric'>,
  keep: (block: Block) => boolean,
): PooledSites {
  const kept = subjects.map((site) => ({ site, blocks: site.blocks.filter(keep) }));
  const pairsOf = ([one, other]: PlannedPair) =>
    kept.map(({ blocks }) => testedPairs(blocks, metric, one.arm, other.arm));
  const own = pairsOf([arm, baseline]);
  return pool(
    kept.map(({ site }, index) => ({ site, pairs: own[index] ?? [] })),
    { network, metric },
    logRatios,
    alongside.map(pairsOf),
  );
}

function countVerdicts(
  comparisons: readonly Pick<Comparison, 'verdict'>[],
): Record<Verdict, number> {
  const counts = { faster: 0, slower: 0, same: 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict] += 1;
  return counts;
}

/** Fewer sites say almost nothing about similar ones. */
const FEWEST_SITES_FOR_OTHERS = 5;

/**
 * Inference from the sites, as a sample, to similar ones: their mean ratio, and the prediction interval of one more
 * (Higgins, Thompson and Spiegelhalter 2009, doi:10.1111/j.1467-985X.2008.00552.x). Null below 5 sites.
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
  // Sites that agree better than their noise allows do not make the mean more precise.
  const reach = t * Math.sqrt(between + Math.max(spread, noise) / subjects.length);
  const centre = mean(estimates) as number;
  return { low: Math.exp(centre - reach), high: Math.exp(centre + reach) };
}

/** Variance of a site's estimate by the noise of its pairs; 0: not known. */
function errorSquared(values: readonly number[]): number {
  const errors = fixedSites([[values]])?.errors;
  return errors ? ((errors.below + errors.above) / 2) ** 2 : 0;
}
