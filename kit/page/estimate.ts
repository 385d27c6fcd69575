import type { Unit } from '../../ground/unit.ts';
import { type Estimate, intervalText, ratioText } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { differenceText } from '../text/value.ts';
import { sideOf, type Verdict, verdictWord } from '../text/verdict.ts';
import { html, type Markup } from './markup.ts';
import type { Column } from './table.ts';

/** A value with its interval below; a dash without a value. */
export function estimateMarkup(
  estimate: Estimate | null | undefined,
  textOf: (value: number) => string,
): Markup {
  if (!estimate) return html`–`;
  const { low, high } = estimate;
  // A value that was equal in all pairs needs no interval.
  if (low === estimate.estimate && high === low) return html`${textOf(low)}`;
  return html`${textOf(estimate.estimate)}<small>${intervalText(estimate, textOf)}</small>`;
}

export function differenceMarkup(difference: Estimate | null | undefined, unit: Unit): Markup {
  return estimateMarkup(difference, (value) => differenceText(value, unit));
}

/** A column of ratios by which a table can be sorted; `name` is for the announcement. */
export function ratioColumn<Item>(
  name: string,
  of: (item: Item) => Estimate | null | undefined,
  heading = 'Ratio',
  classes = '',
): Column<Item> {
  return [
    heading,
    (item) => estimateMarkup(of(item), ratioText),
    classes,
    [name, (item) => of(item)?.estimate],
  ];
}

/** A column of verdicts by which a table can be sorted. */
export function verdictColumn<Item>(
  name: string,
  of: (item: Item) => Verdict | undefined,
  metric: Direction,
): Column<Item> {
  const cell = (verdict: Verdict | undefined) => verdict && verdictMarkup(verdict, metric);
  return ['Verdict', (item) => cell(of(item)) ?? '–', 'text', [name, of]];
}

/** A verdict as the metric's word, with sign and colour as additions. */
export function verdictMarkup(verdict: Verdict, metric: Direction): Markup {
  return html`<span class="verdict ${verdictClass(verdict)}"><span aria-hidden="true">${signOf(verdict, metric)}</span> ${verdictWord(verdict, metric)}</span>`;
}

/** Sign of a verdict: an arrow to the stack's side, or a neutral sign. */
export function signOf(verdict: Verdict, metric: Direction): string {
  const side = sideOf(verdict, metric);
  if (side === null) return verdict === 'same' ? '■' : '○';
  return side === 'below' ? '◄' : '►';
}

/** CSS variable of a verdict's colour. */
export function verdictColour(verdict: Verdict): string {
  return `var(--${verdictClass(verdict)})`;
}

/** The verdict as a class of the style sheet: `verdict-undecided`. */
function verdictClass(verdict: Verdict): string {
  return `verdict-${verdict.replaceAll(' ', '-')}`;
}
