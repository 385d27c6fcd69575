import { html, type Insert, type Markup, scrollRegion } from './markup.ts';
import { type ChartStack, colourNumber, stackShape } from './stack.ts';

interface FigureParts {
  /** Names the chart among others of its kind; no markup. */
  name: string;
  caption: Insert;
  legend?: Insert;
  /** false: left out, and its numbers stand in its place. */
  chart: Insert;
  /** The table behind the chart: a `<table>` with a caption, or a sentence that says where the numbers are. */
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
