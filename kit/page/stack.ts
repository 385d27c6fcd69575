import type { ChartStack } from './chart.ts';
import { html, type Markup } from './markup.ts';

export type { ChartStack };

/** Looks of stacks by position, as many as there are stacks for pages. */
const LOOKS = [
  { light: '#1668b4', dark: '#4d9fe6', dashes: 'none' },
  { light: '#c95f12', dark: '#e98b45', dashes: '7 3' },
  { light: '#76818d', dark: '#98a3af', dashes: '2 3' },
  { light: '#1c8a63', dark: '#3cb58a', dashes: '9 3 2 3' },
  { light: '#b04c8c', dark: '#d680b6', dashes: '4 2' },
  { light: '#86682f', dark: '#b8985c', dashes: '6 2 1 2 1 2' },
  { light: '#6d4bc4', dark: '#a48cf0', dashes: '12 3' },
  { light: '#a33b2a', dark: '#e58372', dashes: '9 2 2 2 2 2' },
  { light: '#0a7f96', dark: '#4cbfd6', dashes: '5 4' },
  { light: '#5f7a1f', dark: '#a5bf5e', dashes: '2 1' },
  { light: '#a87400', dark: '#dcb04a', dashes: '14 3 4 3' },
  { light: '#2f3e57', dark: '#8fa3c8', dashes: '3 5' },
  { light: '#c2334f', dark: '#f07a90', dashes: '8 2 4 2' },
  { light: '#3d6b52', dark: '#86b89c', dashes: '10 2' },
  { light: '#7d5648', dark: '#c29a8a', dashes: '4 4 1 4' },
  { light: '#3f51b5', dark: '#7f8fe8', dashes: '16 3' },
  { light: '#8e2f74', dark: '#cf6fb4', dashes: '6 4 2 4' },
  { light: '#00695c', dark: '#4fa89c', dashes: '1 4' },
  { light: '#b5651d', dark: '#d9975a', dashes: '11 3 1 3 1 3' },
  { light: '#556270', dark: '#b3c0cc', dashes: '5 2 5 6' },
  { light: '#7a7a00', dark: '#c7c74a', dashes: '2 2 8 2' },
] as const;

/** Number of a stack's colour in the style sheet (`--stack-1` and on). */
export function colourNumber(place: number): number {
  return (Math.max(0, place) % LOOKS.length) + 1;
}

/** CSS variable of a stack's colour, which follows the theme. */
export function stackColour({ place }: ChartStack): string {
  return `var(--stack-${colourNumber(place)})`;
}

/** Dashes of a stack's line, so that colour is never the only difference. */
export function stackDashes({ place, pale }: Pick<ChartStack, 'place' | 'pale'>): string {
  return pale ? '1 3' : (LOOKS[colourNumber(place) - 1]?.dashes ?? 'none');
}

/** Shapes among Observable Plot's symbols, with the signs of legends. */
const SHAPES = [
  { symbol: 'circle', sign: '●' },
  { symbol: 'square', sign: '■' },
  { symbol: 'triangle', sign: '▲' },
  { symbol: 'diamond', sign: '◆' },
  { symbol: 'cross', sign: '✚' },
  { symbol: 'star', sign: '★' },
  { symbol: 'hexagon', sign: '⬢' },
  { symbol: 'wye', sign: 'Y' },
] as const;

/** Shape of a stack; if shapes run out, stacks share one in different colours. */
export function stackShape({ place }: Pick<ChartStack, 'place'>): (typeof SHAPES)[number] {
  return SHAPES[Math.max(0, place) % SHAPES.length] ?? SHAPES[0];
}

export function stackColours(theme: 'light' | 'dark'): string {
  return LOOKS.map((look, place) => `--stack-${colourNumber(place)}: ${look[theme]};`).join(' ');
}

/** Style rules of swatches, signs and line samples. */
export const stackStyle = LOOKS.map(({ dashes }, place) => {
  const number = colourNumber(place);
  return `.stack-${number} { --stack: var(--stack-${number}); } .line-${number} { stroke: var(--stack-${number}); stroke-dasharray: ${dashes}; }`;
}).join('\n');

export function stackLabel({
  label,
  place,
  pale,
}: Pick<ChartStack, 'label' | 'place' | 'pale'>): Markup {
  return html`<span class="swatch stack-${colourNumber(place)}${pale && ' pale'}" aria-hidden="true"></span><bdi>${label}</bdi>`;
}
