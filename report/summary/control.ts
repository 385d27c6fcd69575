import { counted, decimalText } from '../text/number.ts';
import type { Comparison, ControlResult, PrimaryAnswer } from './comparison.ts';
import { exactShare } from './exact-share-interval.ts';
import { SIGNIFICANCE } from './verdict.ts';

/** Counts how often a stack was called different from itself: whatever was, was called so by mistake. */
export function controlResult(
  { arm, control, label }: { arm: string; control: string; label: string },
  comparisons: readonly Comparison[],
  primary: readonly PrimaryAnswer[],
): ControlResult {
  const tested = comparisons.flatMap(({ p }) => p ?? []);
  const nCalledDifferent = tested.filter((p) => p < SIGNIFICANCE).length;
  const nWrongVerdicts = comparisons.filter(
    ({ verdict }) => verdict === 'faster' || verdict === 'slower',
  ).length;
  const falsePositiveRate = exactShare(nCalledDifferent, tested.length);
  return {
    arm,
    control,
    nComparisons: tested.length,
    nCalledDifferent,
    falsePositiveRate,
    nWrongVerdicts,
    sentence: sentenceOf(label, tested.length, nCalledDifferent, nWrongVerdicts, falsePositiveRate),
    primary: [...primary],
    comparisons: [...comparisons],
  };
}

function sentenceOf(
  label: string,
  nComparisons: number,
  nCalledDifferent: number,
  nWrongVerdicts: number,
  rate: ControlResult['falsePositiveRate'],
): string {
  if (rate === null) {
    return `${label} was loaded against itself, but with too few pairs for a test: nothing can be said of false alarms.`;
  }
  const percent = (share: number | null) => decimalText(100 * (share ?? 0), 1);
  return `${label} was compared with itself ${nComparisons === 1 ? 'once' : `${nComparisons} times`}: ${nCalledDifferent} called different before correction (${percent(rate.estimate)} %, 95 % interval ${percent(rate.low)} to ${percent(rate.high)} %; 5 % is to be expected), ${counted(nWrongVerdicts, 'wrong verdict')} after it.`;
}
