import type { Comparison, PrimaryAnswer, Verdict } from '../analysis/comparison.ts';
import { type Shown, verdictClass } from '../charts/verdict-shape.ts';
import { html, type Markup } from './markup.ts';

const SIGNS: Record<Shown, string> = {
  faster: '◄',
  slower: '►',
  same: '■',
  'cannot tell': '○',
  'no verdict': '',
};

/** The verdicts in the order in which they are counted. */
export const VERDICTS: readonly Verdict[] = ['faster', 'slower', 'same', 'cannot tell'];

/** What may be shown of a site: nothing was tested with fewer than 6 pairs, so nothing is said. */
export function shownVerdict({ p, verdict }: Pick<Comparison, 'p' | 'verdict'>): Shown {
  return p === null ? 'no verdict' : verdict;
}

/** The same over all sites, where the interval takes the place of the test; where failures leave no ratio, they alone may tell. */
export function shownPooledVerdict({ ratio, nPairs, verdict }: PrimaryAnswer): Shown {
  const isUntested = ratio !== null && ratio.low === null && ratio.high === null;
  return nPairs === 0 || isUntested ? 'no verdict' : verdict;
}

/** A verdict by word, sign and colour; the word alone says it all. */
export function verdictMarkup(verdict: Shown): Markup {
  const sign = SIGNS[verdict];
  return html`<span class="verdict ${verdictClass(verdict)}">${sign !== '' && html`<span aria-hidden="true">${sign}</span> `}${verdict}</span>`;
}
