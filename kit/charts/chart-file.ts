import type { Chart } from '../page/chart.ts';
import { html, type Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackDashes } from '../page/stack.ts';
import { CHART, COLOURS } from '../page/style.ts';
import { LAYER_STYLE } from './layer-chart.ts';

/** A chart as a separate SVG file in the style of the report; ends with a line feed. */
export function chartFile(chart: Markup): string {
  const style = `<style>${COLOURS}${CHART} .chart { background: var(--paper); }</style>`;
  return replaceOpeningTag(chart.text, (attributes) => `<svg ${NAMESPACE} ${attributes}>${style}`);
}

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';

function replaceOpeningTag(svg: string, opening: (attributes: string) => string): string {
  return `${svg.replace(/^<svg ([^>]*)>/, (_, attributes) => opening(attributes))}\n`;
}

/** Colours of the light scheme by name; those of the dark scheme follow later in the style sheet. */
const LIGHT = new Map(
  [...`${COLOURS}${LAYER_STYLE}`.matchAll(/--([\w-]+): ?([^;}]+)/g)]
    .toReversed()
    .map(([, name = '', colour = '']) => [name, colour]),
);

/** Characters that XML forbids, which host names could contain. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A chart as an SVG file without a style sheet, in light colours, for papers and slides. */
export function standaloneSvg({ svg, data }: Pick<Chart, 'svg' | 'data'>): string {
  const [box = '', width = '', chartPx] = / viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  const { marks, height } = legendBelow(data?.arms ?? [], Number(width), Number(chartPx));
  const size = `width="${width}" height="${height}"`;
  const quiet = LIGHT.get('quiet');
  return replaceOpeningTag(
    svg
      .replace(box, ` viewBox="0 0 ${width} ${height}"`)
      .replace(/<\/svg>$/, () => `${marks.text}</svg>`),
    (attributes) =>
      `<svg ${NAMESPACE} ${size} ${attributes.replace(' class="chart"', '')} fill="${quiet}" color="${quiet}" font-family="system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif" font-size="12" text-anchor="middle" style="white-space: pre; font-variant-numeric: tabular-nums"><rect ${size} fill="${LIGHT.get('paper')}"/>`,
  )
    .replaceAll(/="var\(--([\w-]+)\)"/g, (_, name) => `="${LIGHT.get(name) ?? 'black'}"`)
    .replaceAll('&nbsp;', '&#160;')
    .replaceAll(NOT_XML, '');
}

const LEGEND_ROW_PX = 20;
const SAMPLE_PX = 28;
/** Approximate width of a letter. */
const LETTER_PX = 7;

/** Legend of the stacks' lines, in rows below the chart. */
function legendBelow(arms: readonly ChartStack[], widthPx: number, topPx: number) {
  let [x, y] = [10, topPx + LEGEND_ROW_PX / 2];
  const marks = arms.map((arm) => {
    const neededPx = SAMPLE_PX + 24 + LETTER_PX * arm.label.length;
    if (x > 10 && x + neededPx > widthPx) [x, y] = [10, y + LEGEND_ROW_PX];
    const from = x;
    x += neededPx;
    return html`<path d="M${from},${y}h${SAMPLE_PX}" stroke="${stackColour(arm)}" stroke-width="3" stroke-dasharray="${stackDashes(arm)}"/><text x="${from + SAMPLE_PX + 6}" y="${y}" dy=".32em" text-anchor="start">${arm.label}</text>`;
  });
  return { marks: html`${marks}`, height: arms.length === 0 ? topPx : y + LEGEND_ROW_PX / 2 + 4 };
}
