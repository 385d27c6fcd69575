import type { AnalysisPlan } from '../records/run.ts';

/** What the comparisons are based on. */
export interface AnalysisUsed extends AnalysisPlan {
  /** Chosen in knowledge of the results, and not by the plan; results/README.md says why that matters. */
  chosenAfterTheRun: boolean;
  /** Verdicts that Holm's correction is over: comparisons with enough pairs for a test. */
  nTests: number;
}
