import type { Estimate } from '../../../report/analysis/comparison.ts';
import { ratioText } from '../../../report/html/estimate-text.ts';
import { counted } from '../../../report/number-text.ts';
import type { LadderSummary, StepSummary } from './summary.ts';

/** What the changes did, for a reader without statistics; what the first and the last step say stands in their runs’ own sentences. */
export function ladderSentences({
  steps,
  whole,
}: Pick<LadderSummary, 'steps' | 'whole'>): string[] {
  const sentences: string[] = [];
  if (whole) {
    sentences.push(
      `From the first step to the last the ratio of QUIC to HTTPS changed by a factor of ${factorText(whole)}.`,
    );
  }
  const known = steps.filter(({ ratioChange }) => ratioChange !== null);
  const told = known
    .filter(({ changeVerdict }) => changeVerdict === 'higher' || changeVerdict === 'lower')
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (told.length > 0) {
    sentences.push(
      `Changes whose interval leaves out 1, the largest first: ${told.map((step) => `${step.title} × ${factorText(step.ratioChange)}`).join(', ')}.`,
    );
  }
  const others = known.length - told.length;
  if (known.length > 0) {
    sentences.push(
      others === 0
        ? 'Every change did something.'
        : `Of the ${counted(others, 'other change')} it cannot be said whether ${others === 1 ? 'it' : 'they'} made QUIC look better or worse.`,
    );
  }
  return sentences;
}

/** A factor with its interval: `2.31 (1.90 to 2.80)`. */
export function factorText(factor: Estimate | null): string {
  if (factor === null) return '–';
  const { estimate, low, high } = factor;
  return low === null || high === null
    ? ratioText(estimate)
    : `${ratioText(estimate)} (${ratioText(low)} to ${ratioText(high)})`;
}

function sizeOf({ ratioChange }: StepSummary): number {
  return ratioChange ? Math.abs(Math.log(ratioChange.estimate)) : 0;
}
