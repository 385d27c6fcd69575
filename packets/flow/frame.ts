import { CHART_WIDTH_PX } from '../../kit/charts/canvas.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { countText } from '../../kit/text/number.ts';
import type { Span, TimeScale } from './time-scale.ts';

/** Left and right of the charts whose time runs downwards. */
export const AXIS_PX = 46;
/** Above them. */
export const TOP_PX = 62;
/** Of the letters in them, on average. */
export const CHARACTER_PX = 6.6;
export const MOST_TICKS = 12;

/** The axis on the left, with a line at the top and the bottom. */
export function timeAxis({ at, ticksMs }: TimeScale, bottomPx: number): Markup {
  return html`<text class="end" x="${AXIS_PX - 8}" y="${TOP_PX - 8}">ms</text>${ticksMs.map(
    (ms) =>
      html`<text class="end" x="${AXIS_PX - 8}" y="${px(at(ms) + 4)}">${countText(ms)}</text><path class="grid" d="M${AXIS_PX - 4} ${px(at(ms))}h4"/>`,
  )}<path class="grid" d="M${AXIS_PX} ${TOP_PX}V${px(bottomPx)}M${CHART_WIDTH_PX - AXIS_PX} ${TOP_PX}V${px(bottomPx)}"/>`;
}

/** What marks a silence that is drawn shorter than it was. */
export function silence({ at }: TimeScale, [beginMs, endMs]: Span): Markup {
  const middlePx = (at(beginMs) + at(endMs)) / 2;
  return html`<rect class="silence" x="${AXIS_PX - 4}" width="${CHART_WIDTH_PX - 2 * AXIS_PX + 8}" y="${px(middlePx - 7)}" height="14"/><text x="${CHART_WIDTH_PX / 2}" y="${px(middlePx + 4)}">silence of ${countText(Math.round(endMs - beginMs))} ms, cut short</text>`;
}

/** A place in a chart: a tenth of a pixel cannot be seen. */
export function px(value: number): number {
  return Number(value.toFixed(1));
}
