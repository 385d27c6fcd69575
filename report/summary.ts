import type { Comparison, ControlResult, PooledComparison } from './analysis/comparison.ts';
import type { Sweep } from './analysis/sweep.ts';
import type { AnalysisUsed } from './analysis-used.ts';
import type { PairFairness } from './fairness-summary.ts';
import type { Ledger } from './ledger.ts';
import type { NetworkSummary } from './network-summary.ts';
import type { Overview } from './overview.ts';
import type { Progress } from './progress.ts';
import type { SiteFacts } from './site-facts.ts';
import type { SummaryRow } from './summary-row.ts';

/** The version of summary.json that this code writes; results/README.md describes it. */
export const SUMMARY_FORMAT_VERSION = 2;

/** What summary.json holds: every number that the report shows above the level of one load. */
export interface Summary {
  formatVersion: typeof SUMMARY_FORMAT_VERSION;
  runId: string;
  startedAt: string;
  seed: number;
  repetitions: number;
  progress: Progress;
  /** What the reader should know, as sentences. */
  warnings: string[];
  analysis: AnalysisUsed;
  sites: SiteFacts[];
  /** One for each network condition, in the plan's order. */
  networks: NetworkSummary[];
  /** Sites in the plan's order, within a site the networks, then the visits, then the stacks. */
  rows: SummaryRow[];
  /** One for each condition (network x visit), networks first: the stacks side by side, controls apart. */
  overview: Overview[];
  /** In the order of the rows; the baseline and the controls are not among the stacks. */
  comparisons: Comparison[];
  /** One for each condition and stack, in the order of the overview. */
  pooled: PooledComparison[];
  /** Empty without a control. */
  controls: ControlResult[];
  /** For conditions that differ in the round-trip time alone; empty without such. */
  sweeps: Sweep[];
  /** Every pair of stacks; empty where nothing is known. */
  fairness: PairFairness[];
  ledger: Ledger;
}
