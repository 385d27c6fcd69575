import { type Estimate, intervalText } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { sideOf, type Verdict, verdictWord } from '../text/verdict.ts';
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

/** A verdict by the metric's word, sign and colour; the word alone says it all. */
export function verdictMarkup(verdict: Verdict, metric: Direction): Markup {
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${signOf(verdict, metric)}</span> ${verdictWord(verdict, metric)}</span>`;
}

/** The sign of a verdict: an arrow to the side on which the stack lies, or neither. */
export function signOf(verdict: Verdict, metric: Direction): string {
  const side = sideOf(verdict, metric);
  if (side === null) return verdict === 'same' ? '■' : '○';
  return side === 'below' ? '◄' : '►';
}

/** The colour of a verdict as a variable of the style sheet. */
export function verdictColour(verdict: Verdict): string {
  return `var(--${verdictClass(verdict)})`;
}

/** The verdict as a class of the style sheet: `verdict-cannot-tell`. */
function verdictClass(verdict: Verdict): string {
  return `verdict-${verdict.replaceAll(' ', '-')}`;
}
