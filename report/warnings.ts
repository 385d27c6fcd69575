import type { RunRecord } from '../records/run.ts';
import type { Comparison } from './analysis/comparison.ts';
import type { AnalysisUsed } from './analysis-used.ts';
import { decimalText } from './number-text.ts';
import type { Progress } from './progress.ts';

/** What a reader should know before the numbers, as sentences; empty for a run that ended well. */
export function warningsOf(
  run: Pick<RunRecord, 'analysis'>,
  progress: Progress,
  analysis: Omit<AnalysisUsed, 'nTests'>,
  comparisons: readonly Comparison[],
): string[] {
  return [
    ...interrupted(progress),
    ...chosenAfterwards(run, analysis),
    ...(comparisons.length === 0
      ? ['The run has one stack only: there is nothing to compare it with.']
      : []),
  ];
}

function interrupted(progress: Progress): string[] {
  if (progress.complete) return [];
  const { plannedPageLoads, donePageLoads, plannedWarmups, doneWarmups } = progress;
  return [
    `The run ended before its plan did: ${donePageLoads} of ${plannedPageLoads} page loads and ${doneWarmups} of ${plannedWarmups} warm-ups were made. Blocks that are not whole are left out.`,
  ];
}

function chosenAfterwards(
  run: Pick<RunRecord, 'analysis'>,
  { baseline, marginPercent, chosenAfterTheRun }: Omit<AnalysisUsed, 'nTests'>,
): string[] {
  if (!chosenAfterTheRun) return [];
  const planned = run.analysis;
  return [
    `Baseline and margin were chosen after the run: ${baseline} and ${decimalText(marginPercent)} %, where the plan had ${planned.baseline} and ${decimalText(planned.marginPercent)} %. Whoever chooses in knowledge of the results can choose the verdicts.`,
  ];
}
