import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { ChartData } from '../page/chart.ts';
import { chartOf, html, type Markup, trusted } from '../page/markup.ts';
import type { Estimate } from '../text/estimate.ts';
import { shorten } from '../text/terminal.ts';

/** Width of every chart of full size, in CSS pixels before scaling. */
export const CHART_WIDTH_PX = 1040;

export const GRID = { stroke: 'var(--line)', strokeOpacity: 1 } as const;

export const LABEL_ABOVE = { tickSize: 0, labelArrow: 'none', labelAnchor: 'top' } as const;

export const LABEL_BELOW = { tickSize: 0, labelArrow: 'none', labelAnchor: 'center' } as const;

/** A mark of Observable Plot, or a function that draws one. */
export type Marks = readonly (Plot.Markish | Plot.RenderFunction | false)[];

/**
 * Draws a plot as SVG text without a browser. It has no style elements or attributes, which the page's policy
 * forbids; the class `chart` of the style sheet replaces them.
 */
export function drawChart(
  options: Omit<Plot.PlotOptions, 'document' | 'marks' | 'style' | 'className'>,
  marks: Marks,
  ariaLabel: string,
  data: ChartData | null = null,
): Markup {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const svg = Plot.plot({
    width: CHART_WIDTH_PX,
    ...options,
    className: 'chart',
    document: document as unknown as Document,
    marks: marks.filter((mark) => mark !== false) as Plot.Markish[],
  });
  for (const style of svg.querySelectorAll('style')) style.remove();
  for (const element of svg.querySelectorAll('*')) shrinkElement(element);
  for (const name of STYLED_ATTRIBUTES) svg.removeAttribute(name);
  // Uses this project's template, because linkedom does not escape < and > in attributes.
  return chartOf(
    html`<svg role="img" aria-label="${ariaLabel}"${trusted(svg.outerHTML.slice('<svg'.length))}`,
    data,
  );
}

/** An element of the drawing, for custom marks. */
export function svgElement(
  context: { document: Document },
  name: string,
  attributes: Record<string, string>,
): SVGElement {
  const element = context.document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element as SVGElement;
}

/** Attributes of the root that the page's style sheet replaces. */
const STYLED_ATTRIBUTES = 'fill font-family font-size text-anchor width height style'.split(' ');

const NUMERIC_ATTRIBUTES = 'x x1 x2 y y1 y2 cx cy dy r width height d transform'.split(' ');

/** Rounds to tenths of a pixel; more decimals would make up half of the file. */
function shrinkElement(element: Element): void {
  // The chart is one image with one label.
  for (const name of ['aria-label', 'aria-description', 'aria-hidden', 'style']) {
    element.removeAttribute(name);
  }
  if (element.localName === 'text' && element.children.length === 0) replaceTranslation(element);
  for (const name of NUMERIC_ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (value?.includes('.')) element.setAttribute(name, roundNumbers(value));
  }
}

/** Coordinates are shorter than a transform. */
function replaceTranslation(label: Element): void {
  const [, x, y] =
    /^translate\(([^,)]+),([^,)]+)\)$/.exec(label.getAttribute('transform') ?? '') ?? [];
  if (x === undefined || y === undefined) return;
  label.removeAttribute('transform');
  const raised = label.getAttribute('y');
  if (raised !== null) label.setAttribute('dy', raised);
  label.setAttribute('x', x);
  label.setAttribute('y', y);
}

function roundNumbers(text: string): string {
  return text.replace(/-?\d*\.\d+(?:e-?\d+)?/g, (number) =>
    String(Math.round(Number(number) * 10) / 10).replace(/^(-?)0\./, '$1.'),
  );
}

/** Columns of an estimate in the data of a chart. */
export const INTERVAL_COLUMNS = ['95 % interval from', '95 % interval to'];

export function estimateFields(estimate: Estimate | null): (number | null)[] {
  return [estimate?.estimate ?? null, estimate?.low ?? null, estimate?.high ?? null];
}

const LABEL_CHARACTERS = 28;

/** A shortened name, without characters that control text direction, which SVG cannot isolate. */
export function shortName(name: string, characters = LABEL_CHARACTERS): string {
  return shorten(name.replace(/[\p{Cc}\p{Cf}]/gu, ''), characters);
}

/** Labels at the ends of lines, from bottom to top, at least `apart` from each other. */
export function spreadLabels<Label extends { y: number }>(
  labels: readonly Label[],
  apart: number,
): Label[] {
  let floor = Number.NEGATIVE_INFINITY;
  return labels
    .toSorted((a, b) => a.y - b.y)
    .map((label) => {
      const y = Math.max(label.y, floor);
      floor = y + apart;
      return { ...label, y };
    });
}
