import { type Estimate, ratioText } from '../text/estimate.ts';
import { counted } from '../text/number.ts';
import type { LadderSummary, RungSummary } from './ladder-summary.ts';

/** What the changes did, for a reader without statistics; what the first and the last rung say stands in their runs’ own sentences. */
export function ladderSentences({
  rungs,
  whole,
}: Pick<LadderSummary, 'rungs' | 'whole'>): string[] {
  const sentences: string[] = [];
  if (whole) {
    sentences.push(
      `From the first rung to the last the ratio of QUIC to HTTPS changed by a factor of ${factorText(whole)}.`,
    );
  }
  const known = rungs.filter(({ ratioChange }) => ratioChange !== null);
  const told = known
    .filter(({ changeVerdict }) => changeVerdict === 'higher' || changeVerdict === 'lower')
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (told.length > 0) {
    sentences.push(
      `Changes whose interval leaves out 1, the largest first: ${told.map((rung) => `${rung.title} × ${factorText(rung.ratioChange)}`).join(', ')}.`,
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

function sizeOf({ ratioChange }: RungSummary): number {
  return ratioChange ? Math.abs(Math.log(ratioChange.estimate)) : 0;
}
