import { type Estimate, intervalText } from '../text/estimate.ts';
import { html, type Markup } from './markup.ts';

/** A number with its interval below it; a dash where there is no number. */
export function estimateMarkup(
  estimate: Estimate | null,
  textOf: (value: number) => string,
): Markup {
  if (!estimate) return html`–`;
  const { low, high } = estimate;
  // A number that was the same in all pairs needs no interval beside it.
  if (low === estimate.estimate && high === low) return html`${textOf(low)}`;
  return html`${textOf(estimate.estimate)}<small>${intervalText(estimate, textOf)}</small>`;
}
