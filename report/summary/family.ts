import type { Metric } from '../../experiments/experiment.ts';
import { type FixedSites, fixedSitesInterval } from '../../statistics/fixed-sites.ts';
import { type Look, nominalLevels } from '../../statistics/group-sequential.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';
import { type Estimate, ratioOf } from '../text/estimate.ts';
import type { Verdict } from '../text/verdict.ts';
import { finite } from './paired-values.ts';
import { isWithinMargin, SIGNIFICANCE, verdictOfSide, verdictWithinMargin } from './verdict.ts';

/** What a question's pairs say at a look. */
export interface Evidence {
  nPairs: number;
  /** Of log ratios; null without pairs. */
  ratio: FixedSites | null;
  /** Pairs in which one of two failed: 1 the first, -1 the other. */
  failures: readonly number[];
  /** Pairs in which both failed. */
  nBothFailed: number;
}

/** What evidence is held against. */
export interface TellingSettings {
  marginPercent: number;
  metric: Pick<Metric, 'better'>;
}

/** What is told of a question. */
export interface Told {
  verdict: Verdict;
  /** Share outside of the interval that says so. */
  level: number;
  /** Pairs at the look at which the verdict was in; null: it is not. */
  afterPairs: number | null;
}

/** One question through the looks. */
interface State {
  /** Looks that brought something new. */
  looks: Look[];
  told: Told;
}

/**
 * Answers the questions of a family, so that the chance of even one wrong verdict in it, at any of the looks, is at most 5 %. A
 * verdict is in as soon as its interval is clear of 1, or inside of the margin, at the level that group-sequential spending leaves to
 * the look. The 5 % are shared alike among all questions (Bonferroni). Holm's way, by which what is told leaves its share to the
 * others, would not hold here: what is rightly told the same could have been told wrongly just as well. What is told stays told.
 * @param looks each with what it saw of every question, in their order
 */
export function tellFamily(
  looks: readonly { fraction: number; evidence: readonly Evidence[] }[],
  settings: TellingSettings,
): Told[] {
  const states: State[] =
    looks[0]?.evidence.map(() => ({
      looks: [],
      told: { verdict: 'cannot tell', level: SIGNIFICANCE, afterPairs: null },
    })) ?? [];
  for (const { fraction, evidence } of looks) {
    for (const [index, state] of states.entries()) {
      const seen = evidence[index] as Evidence;
      note(state, seen, fraction);
      if (state.told.afterPairs === null) tell(state, seen, SIGNIFICANCE / states.length, settings);
    }
  }
  return states.map(({ told }) => told);
}

function note({ looks }: State, { ratio, nPairs }: Evidence, fraction: number): void {
  if (!ratio?.errors) return;
  const before = looks.at(-1);
  // Nothing new was seen, but more may have been spent.
  if (before && before.information >= nPairs) before.fraction = fraction;
  else looks.push({ fraction, information: nPairs });
}

/** What can be told with this share of the error. */
function tell(state: State, evidence: Evidence, alpha: number, settings: TellingSettings): void {
  if (state.looks.length === 0) return;
  const level = lastLevel(alpha, state.looks);
  const verdict = verdictOf(evidence, level, settings);
  state.told = {
    verdict,
    level,
    afterPairs: verdict === 'cannot tell' ? null : evidence.nPairs,
  };
}

const levels = new Map<string, number>();

/** Many questions have the same looks. */
function lastLevel(alpha: number, looks: readonly Look[]): number {
  const key = JSON.stringify([alpha, looks]);
  const known = levels.get(key);
  if (known !== undefined) return known;
  const level = nominalLevels(alpha, looks).at(-1) ?? 0;
  levels.set(key, level);
  return level;
}

function verdictOf(
  evidence: Evidence,
  level: number,
  { marginPercent, metric }: TellingSettings,
): Verdict {
  if (evidence.ratio === null || level === 0) return 'cannot tell';
  const logRatio = estimateAt(evidence.ratio, level);
  const ratio = ratioOf(logRatio);
  if (logRatio === null || ratio === null) return verdictByFailures(evidence, level);
  if (isWithinMargin(ratio, marginPercent)) return verdictWithinMargin(evidence);
  const { estimate, low, high } = logRatio;
  const isClear = (high !== null && high < 0) || (low !== null && low > 0);
  return isClear ? verdictOfSide(estimate, metric) : 'cannot tell';
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
