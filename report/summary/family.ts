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
  /** Number of answers of the family; default: of the questions. */
  family?: number;
}

export interface Decision {
  verdict: Verdict;
  /** Share outside of the interval of the verdict. */
  level: number;
  /** Pairs of the verdict; null: undecided. */
  afterPairs: number | null;
}

export interface QuestionLook {
  fraction: number;
  evidence: Evidence;
}

/**
 * Answers the questions of a family, each at its last look, so that the chance of even one wrong verdict in the family is at
 * most 5 % (`decideAtEnd`), shared equally among all questions (Bonferroni). Holm's method would not hold here: it passes
 * the share of decided questions on, but a *same* that is right could have been wrong.
 * @param questions the looks at each, in their order; its loads ended at the last one
 */
export function decideFamily(
  questions: readonly (readonly QuestionLook[])[],
  settings: DecisionSettings,
): Decision[] {
  const alpha = SIGNIFICANCE / (settings.family ?? questions.length);
  return questions.map((looks) => decideAtEnd(looks, alpha, settings));
}

/**
 * Decides a question once, at its last look, at the level that alpha spending leaves to that look. Earlier looks count
 * although they decided nothing: each could have been the last one, and the loads that end the run are those that answer
 * the question. Crossing the bound at the last look is no likelier than crossing that of any look, which has the chance
 * `alpha` for any stopping rule (Hung, Wang and O'Neill 2007, doi:10.1080/10543400701645405; Glimm, Maurer and Bretz 2010,
 * doi:10.1002/sim.3748).
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
    return { verdict: 'undecided', level: SIGNIFICANCE, afterPairs: null };
  }
  const level = lastLevel(alpha, informed);
  const verdict = verdictAt(last.evidence, level, settings);
  return { verdict, level, afterPairs: verdict === 'undecided' ? null : last.evidence.nPairs };
}

/**
 * Whether an answer is precise enough to stop: it says *same*, or its interval extends on average at most by the margin to
 * either side. In a run of one question, whose user waits, two thirds of the difference are enough as well.
 */
export function isPrecise(
  { ratio }: Pick<Evidence, 'ratio'>,
  { verdict, level }: Pick<Decision, 'verdict' | 'level'>,
  { marginPercent, isOnly }: { marginPercent: number; isOnly: boolean },
): boolean {
  if (verdict === 'undecided') return false;
  const logRatio = estimateAt(ratio, level);
  // Failures leave no ratio, and what decides then needs no interval.
  if (verdict === 'same' || logRatio === null) return true;
  const { estimate, low, high } = logRatio;
  if (low === null || high === null) return false;
  const enough = Math.log1p(marginPercent / 100);
  return (high - low) / 2 <= (isOnly ? Math.max(enough, (2 / 3) * Math.abs(estimate)) : enough);
}

/** The looks that had an interval; of looks at the same pairs only the last. */
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

/** Verdict of evidence with this share outside of its interval. */
export function verdictAt(evidence: Evidence, level: number, settings: DecisionSettings): Verdict {
  if (evidence.ratio === null || level === 0) return 'undecided';
  const ratio = ratioOf(estimateAt(evidence.ratio, level));
  if (ratio === null) return verdictByFailures(evidence, level);
  return verdictOfInterval(ratio, evidence, settings);
}

/** If failures leave no ratio, the stack that fails more often is slower: exact sign test of pairs in which one of two failed. */
export function verdictByFailures(
  { failures }: Pick<Evidence, 'failures'>,
  level: number,
): Verdict {
  const test = wilcoxonSignedRank(failures);
  if (test === null || test.p >= level) return 'undecided';
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
