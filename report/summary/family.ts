import type { Metric } from '../../ground/experiment.ts';
import { type Estimate, ratioOf } from '../../kit/text/estimate.ts';
import type { Verdict } from '../../kit/text/verdict.ts';
import { type FixedSites, fixedSitesInterval } from '../../statistics/fixed-sites.ts';
import { type Look, nominalLevels } from '../../statistics/group-sequential.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import { finite } from './paired-values.ts';
import { SIGNIFICANCE, verdictOfInterval } from './verdict.ts';

export interface Evidence {
  nPairs: number;
  /** Of log ratios; null without pairs. */
  ratio: FixedSites | null;
  /** Pairs in which one of two failed: 1 the first, -1 the other. */
  failures: readonly number[];
  /** Pairs in which both failed. */
  nBothFailed: number;
}

interface DecisionSettings {
  marginPercent: number;
  metric: Pick<Metric, 'better'>;
}

export interface Decision {
  verdict: Verdict;
  /** Share outside of the interval that says so. */
  level: number;
  /** Pairs of the verdict; null: there is none. */
  afterPairs: number | null;
}

export interface QuestionLook {
  fraction: number;
  evidence: Evidence;
}

/**
 * Answers the questions of a family, each at the last look at it, so that the chance of even one wrong verdict in it is at most 5 %,
 * whichever look that is (`decideAtEnd`). The 5 % are shared alike among all questions (Bonferroni). Holm's way, by which what is
 * decided leaves its share to the rest, would not hold here: what is rightly called the same could have been called so wrongly.
 * @param questions each with the looks at it, in their order; the last of them is the one at which its loads ended
 */
export function decideFamily(
  questions: readonly (readonly QuestionLook[])[],
  settings: DecisionSettings,
): Decision[] {
  const alpha = SIGNIFICANCE / questions.length;
  return questions.map((looks) => decideAtEnd(looks, alpha, settings));
}

/**
 * Decides a question once, at the last of its looks, at the level that spending leaves to that look. The looks before count although
 * nothing was decided at them: each could have been the last one, and the loads that decide which one is are those that answer the
 * question. Crossing the bound at the last look, whichever that is, is no likelier than crossing that of any
 * look, which has the chance `alpha` whatever stops the run (Hung, Wang and O'Neill 2007, doi:10.1080/10543400701645405; Glimm, Maurer
 * and Bretz 2010, doi:10.1002/sim.3748).
 * @param alpha this question's share of the error
 */
export function decideAtEnd(
  looks: readonly QuestionLook[],
  alpha: number,
  settings: DecisionSettings,
): Decision {
  const informed = informedLooks(looks);
  const last = looks.at(-1);
  if (!last || informed.length === 0) {
    return { verdict: 'cannot tell', level: SIGNIFICANCE, afterPairs: null };
  }
  const level = lastLevel(alpha, informed);
  const verdict = verdictAt(last.evidence, level, settings);
  return { verdict, level, afterPairs: verdict === 'cannot tell' ? null : last.evidence.nPairs };
}

/**
 * Whether further pairs would make little of an answer better: it says *same*, or its interval reaches no further than the margin to
 * either side, on average. Where a run has one question alone, whose user waits for it, two thirds of the difference are
 * enough as well.
 */
export function isPrecise(
  { ratio }: Pick<Evidence, 'ratio'>,
  { verdict, level }: Pick<Decision, 'verdict' | 'level'>,
  { marginPercent, isOnly }: { marginPercent: number; isOnly: boolean },
): boolean {
  if (verdict === 'cannot tell') return false;
  const logRatio = estimateAt(ratio, level);
  // Failures leave no ratio, and what decides then needs no interval.
  if (verdict === 'same' || logRatio === null) return true;
  const { estimate, low, high } = logRatio;
  if (low === null || high === null) return false;
  const enough = Math.log1p(marginPercent / 100);
  return (high - low) / 2 <= (isOnly ? Math.max(enough, (2 / 3) * Math.abs(estimate)) : enough);
}

/** The looks at which a question had an interval; of looks at the same pairs the last one. */
function informedLooks(looks: readonly QuestionLook[]): Look[] {
  const informed: Look[] = [];
  for (const { fraction, evidence } of looks) {
    const { ratio, nPairs } = evidence;
    if (!ratio?.errors) continue;
    const before = informed.at(-1);
    if (before && before.information >= nPairs) before.fraction = fraction;
    else informed.push({ fraction, information: nPairs });
  }
  return informed;
}

const levels = new Map<string, number>();

/** Questions often have the same looks. */
function lastLevel(alpha: number, looks: readonly Look[]): number {
  const key = JSON.stringify([alpha, looks]);
  const known = levels.get(key);
  if (known !== undefined) return known;
  const level = nominalLevels(alpha, looks).at(-1) ?? 0;
  levels.set(key, level);
  return level;
}

/** What evidence says with such a share outside of its interval. */
export function verdictAt(evidence: Evidence, level: number, settings: DecisionSettings): Verdict {
  if (evidence.ratio === null || level === 0) return 'cannot tell';
  const ratio = ratioOf(estimateAt(evidence.ratio, level));
  if (ratio === null) return verdictByFailures(evidence, level);
  return verdictOfInterval(ratio, evidence, settings);
}

/** Where failures leave no ratio, who fails more often is slower: the exact sign test of pairs in which one of two failed. */
export function verdictByFailures(
  { failures }: Pick<Evidence, 'failures'>,
  level: number,
): Verdict {
  const test = wilcoxonSignedRank(failures);
  if (test === null || test.p >= level) return 'cannot tell';
  return test.rankSumAbove > test.rankSumBelow ? 'slower' : 'faster';
}

/** The mean over sites with its interval at a level; null where failures leave no mean. */
export function estimateAt(subjects: FixedSites | null, level: number): Estimate | null {
  if (subjects === null || !Number.isFinite(subjects.estimate)) return null;
  const interval = fixedSitesInterval(subjects, level);
  return {
    estimate: subjects.estimate,
    low: finite(interval?.low),
    high: finite(interval?.high),
  };
}
