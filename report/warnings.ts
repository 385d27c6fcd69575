import type { AnalysisPlan, RunRecord } from '../records/run.ts';
import type { Comparison } from './analysis/comparison.ts';
import type { AnalysisUsed } from './analysis-used.ts';
import { verdictMetric } from './metrics/verdict-metric.ts';
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
  { chosenAfterTheRun, ...used }: Omit<AnalysisUsed, 'nTests'>,
): string[] {
  if (!chosenAfterTheRun) return [];
  const planned = run.analysis;
  const isOtherMetric = used.metric !== planned.metric;
  const texts = ({ baseline, marginPercent, metric }: AnalysisPlan) => {
    const margin = `${decimalText(marginPercent)} %`;
    return isOtherMetric
      ? `${baseline}, ${margin} and ${verdictMetric({ metric }).time}`
      : `${baseline} and ${margin}`;
  };
  return [
    `${isOtherMetric ? 'Baseline, margin and metric' : 'Baseline and margin'} were chosen after the run: ${texts(used)}, where the plan had ${texts(planned)}. Whoever chooses in knowledge of the results can choose the verdicts.`,
  ];
}
