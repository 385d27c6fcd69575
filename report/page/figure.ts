import { html, type Insert, type Markup } from './markup.ts';
import { scrolling } from './name.ts';

/** A chart with its heading, its legend, and its numbers as a table below. */
export interface FigureParts {
  /** Names the chart among others of its kind; no markup. */
  name: string;
  caption: Insert;
  legend?: Insert;
  chart: Insert;
  /** The table behind the chart: a `<table>` with a caption, or a sentence that says where the numbers are. */
  data: Markup;
}

/** One chart of the page. */
export function figure({ name, caption, legend, chart, data }: FigureParts): Markup {
  return html`<figure>
<figcaption>${caption}${legend}</figcaption>
${scrolling(`Chart: ${name}`, chart)}
<details class="data"><summary>Numbers of this chart</summary>${scrolling(`Numbers: ${name}`, data)}</details>
</figure>
`;
}

/** The signs of a chart and what they mean. */
export function legend(entries: readonly Insert[]): Markup {
  return html`<ul class="legend">${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`;
}
