import { type Verdict, verdictWord } from '../text/verdict.ts';
import { html, type Markup } from './markup.ts';

const SIGNS: Record<Verdict, string> = {
  faster: '◄',
  slower: '►',
  same: '■',
  'cannot tell': '○',
};

/** A verdict by the metric's word, sign and colour; the word alone says it all. */
export function verdictMarkup(verdict: Verdict, metric: Parameters<typeof verdictWord>[1]): Markup {
  const sign = SIGNS[verdict];
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${sign}</span> ${verdictWord(verdict, metric)}</span>`;
}

/** The colour of a verdict as a variable of the style sheet. */
export function verdictColour(verdict: Verdict): string {
  return `var(--${verdictClass(verdict)})`;
}

/** The verdict as a class of the style sheet: `verdict-cannot-tell`. */
export function verdictClass(verdict: Verdict): string {
  return `verdict-${verdict.replaceAll(' ', '-')}`;
}
