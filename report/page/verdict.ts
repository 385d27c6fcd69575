import type { Verdict } from '../summary/comparison.ts';
import { verdictClass } from '../charts/verdict-shape.ts';
import { html, type Markup } from './markup.ts';

const SIGNS: Record<Verdict, string> = {
  faster: '◄',
  slower: '►',
  same: '■',
  'cannot tell': '○',
};

/** The verdicts in the order in which they are counted. */
export const VERDICTS: readonly Verdict[] = ['faster', 'slower', 'same', 'cannot tell'];

/** A verdict by word, sign and colour; the word alone says it all. */
export function verdictMarkup(verdict: Verdict): Markup {
  const sign = SIGNS[verdict];
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${sign}</span> ${verdict}</span>`;
}
