import type { AskedNetwork } from '../../records/network.ts';
import type { AnalysisPlan, RunRecord } from '../../records/run.ts';
import type { Change } from '../text/change.ts';
import type { Estimate } from '../text/estimate.ts';
import type { Verdict } from '../text/verdict.ts';
import { isWithinMargin } from './verdict.ts';

/** The version of compare.json that this code writes; report/schemas/compare.schema.json describes it. */
export const COMPARE_FORMAT_VERSION = 3;

/** The same of the first run and of the second. */
export type Both<T> = [first: T, second: T];

/** What compare.json holds: two runs side by side. Ratios are stack / baseline, changes second run / first run. */
export interface RunsComparison {
  formatVersion: typeof COMPARE_FORMAT_VERSION;
  runs: Both<RunFacts>;
  /** The stack that the others are compared with, in both runs. */
  baseline: string;
  /** A change is none when its whole interval lies within so many percent of 1. */
  marginPercent: number;
  /** What was measured, in both runs. */
  experiment: string;
  /** What ratios are of, in both runs. */
  metric: AnalysisPlan['metric'];
  /** Options, machine, versions and settings of the path that are not the same in both. */
  differences: FactDifference[];
  /** What only the first run has, and what only the second: it is not compared. */
  onlyIn: Both<OnlyInOne>;
  /** Sites that both runs name, but whose pages are not the same; not compared. */
  otherPages: string[];
  conditions: ComparedCondition[];
}

/** One of the two runs. */
export interface RunFacts extends Pick<RunRecord, 'runId' | 'startedAt' | 'backend' | 'host'> {
  versions: Record<string, string>;
  /** Loads that count, over all conditions. */
  nLoads: number;
  /** What a reader of that run's report is told, as sentences. */
  warnings: string[];
}

/** Something that was not the same in both runs. */
export interface FactDifference {
  /** Where run.json has it, for example `host.kernel`. */
  fact: string;
  /** As text; null: this run has no such fact. */
  values: Both<string | null>;
}

/** What one run has and the other has not. */
export interface OnlyInOne {
  subjects: string[];
  /** In words. */
  conditions: string[];
  /** Controls are left out. */
  arms: string[];
}

/** One condition that both runs have: the same numbers of the network, whatever its name, and the same visit. */
export interface ComparedCondition {
  /** As the first run has it. */
  network: AskedNetwork;
  variant: string;
  /** The network's name in each run. */
  names: Both<string>;
  /** Median of the round trips measured, ms; null: not measured. */
  measuredRttMs: Both<number | null>;
  /** Stacks that both runs have, the baseline and controls left out. */
  arms: ComparedStack[];
}

/** A stack against the baseline under one condition, in both runs. */
export interface ComparedStack {
  arm: string;
  /** As the first run has it. */
  label: string;
  baseline: string;
  baselineLabel: string;
  /** Sites with pairs in both runs; what follows is over these alone. */
  nSites: number;
  /** Geometric mean over these sites of their ratios. */
  ratios: Both<Estimate | null>;
  /** Geometric mean over these sites of their changes, with Student's interval over them. */
  change: Estimate | null;
  verdict: Change;
  /** The same in one sentence. */
  sentence: string;
  /** Sites that both runs have, in the order of the first. */
  subjects: ComparedSite[];
}

/** A stack against the baseline on one site under one condition, in both runs. */
export interface ComparedSite {
  subject: string;
  /** Pairs of loads in each run. Pairs are made within a run and never across. */
  nPairs: Both<number>;
  /** As in each run's own report; null without pairs. */
  ratios: Both<Estimate | null>;
  /** As in each run's own report, but for the baseline and margin used here; null: the run has no such comparison. */
  verdicts: Both<Verdict | null>;
  /** Ratio of the ratios, second / first; null without pairs in one of the runs, without interval below 6 pairs. */
  change: Estimate | null;
  verdict: Change;
}

/** What a change of a ratio is called. In the order of `judge`: what lies within the margin is the same, whatever else is true of it. */
export function changeVerdict(change: Estimate | null, marginPercent: number): Change {
  if (change === null || change.low === null || change.high === null) return 'cannot tell';
  if (isWithinMargin(change, marginPercent)) return 'same';
  if (change.low > 1) return 'higher';
  return change.high < 1 ? 'lower' : 'cannot tell';
}
