import { html, type Insert, type Markup, scrollRegion } from './markup.ts';
import { type ChartStack, colourNumber, stackShape } from './stack.ts';

interface FigureParts {
  /** Unique name of the chart; no markup. */
  name: string;
  caption: Insert;
  legend?: Insert;
  /** false: shows the data instead of the chart. */
  chart: Insert;
  /** Data of the chart: a table with a caption, or a sentence with their location. */
  data: Markup;
}

export function figure({ name, caption, legend, chart, data }: FigureParts): Markup {
  const numbers = scrollRegion(`Numbers: ${name}`, data);
  return html`<figure>
<figcaption>${caption}${legend}</figcaption>
${
  chart === false
    ? numbers
    : html`${scrollRegion(`Chart: ${name}`, chart)}
<details class="data"><summary>Numbers of this chart</summary>${numbers}</details>`
}
</figure>
`;
}

export function legend(entries: readonly Insert[]): Markup {
  return html`<ul class="legend">${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`;
}

export function lineLegend(arms: readonly ChartStack[]): Markup {
  return legend(
    arms.map(
      ({ label, place }) =>
        html`<svg class="line-sample" viewBox="0 0 28 8" aria-hidden="true"><path class="line-${colourNumber(place)}" d="M0,4H28"/></svg><bdi>${label}</bdi>`,
    ),
  );
}

export function symbolLegend(arms: readonly ChartStack[]): Markup {
  return legend(
    arms.map(
      ({ label, place }) =>
        html`<span class="sign stack-${colourNumber(place)}" aria-hidden="true">${stackShape({ place }).sign}</span><bdi>${label}</bdi>`,
    ),
  );
}
