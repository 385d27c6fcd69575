import { html, type Markup } from './markup.ts';

/** A stack as charts and tables show it: the same colour and shape everywhere on the page. */
export interface ChartStack {
  arm: string;
  label: string;
  /** Place in the run's plan, from 0; decides colour and shape. */
  place: number;
  /** Drawn pale with an outline: numbers from elsewhere beside those of the stack in the same colour. */
  pale?: boolean;
}

const COLOURS = 6;

/** Number of the stack's colour in the style sheet (`--stack-1` and on). */
export function colourNumber(place: number): number {
  return (Math.max(0, place) % COLOURS) + 1;
}

/** The stack's colour as a variable of the style sheet, so that charts follow its theme. */
export function stackColour({ place }: ChartStack): string {
  return `var(--stack-${colourNumber(place)})`;
}

const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'star'] as const;

/** The stack's shape among Observable Plot's symbols: colour is never the only difference. */
export function stackSymbol({ place }: ChartStack): (typeof SYMBOLS)[number] {
  return SYMBOLS[Math.max(0, place) % SYMBOLS.length] ?? 'circle';
}

/** The stack's colour beside its label; the label says the same in words. */
export function stackLabel({
  label,
  place,
  pale,
}: Pick<ChartStack, 'label' | 'place' | 'pale'>): Markup {
  return html`<span class="swatch stack-${colourNumber(place)}${pale && ' pale'}" aria-hidden="true"></span><bdi>${label}</bdi>`;
}
