import type { Markup } from '../page/markup.ts';
import { CHART, COLOURS } from '../page/style.ts';

/** A chart as an SVG file of its own, with the looks that a report's page gives it; ends with a line feed. */
export function chartFile(chart: Markup): string {
  const style = `<style>${COLOURS}${CHART} .chart { background: var(--paper); }</style>`;
  const svg = chart.text.replace(
    /^<svg ([^>]*)>/,
    (_, attributes) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${style}`,
  );
  return `${svg}\n`;
}
