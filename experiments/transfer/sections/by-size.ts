import { type Metric, metricNamed, numberOf } from '../../../ground/experiment.ts';
import type { AxisText } from '../../../kit/charts/axis.ts';
import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { crossings } from '../../../kit/charts/xy-chart.ts';
import { html, type Markup } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { decimalText, millisecondsText, rateText } from '../../../kit/text/number.ts';
import { FEWEST_FOR_INTERVAL } from '../../../statistics/interval.ts';
import { drawConditions } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { transfer } from '../experiment.ts';
import { crossoversOf } from './crossover.ts';
import { chartBySize } from './size-chart.ts';
import { type Condition, countedOf, type Size, sizesOf } from './transfers.ts';

const TOTAL = metricNamed(transfer, 'totalMs');
const GOODPUT = metricNamed(transfer, 'goodputKbps');

/** Goodput and total time by size, with the sizes at which the faster stack changes. */
export const bySize: Section<RunView> = {
  isShown: (view) => view.conditions.some((condition) => shownSizes(view, condition).length > 1),
  ...defineOpenSection('by-bytes', 'Goodput by size', (view) => ({
    title: 'Goodput and time by size',
    content: html`<p>Medians of each size and stack, with their 95 % intervals; both axes are logarithmic. <strong>Goodput</strong> is the rate of the body once it flows,
without the round trips of the handshake. The <strong>total time</strong> includes them, and consists of little else for small files. A stack is significantly ahead at a size if the 95 % interval of the paired ratio
excludes 1, by any amount; each size is tested alone. A failed transfer has no time and is in no pair here, while verdicts rank it below all that completed. Between two such sizes, log(ratio) is interpolated linearly in log(size).</p>
${drawConditions(view, (condition, name) => sizesMarkup(view, shownSizes(view, condition), name))}`,
  })),
};

/** Sizes that a logarithmic axis can show. */
function shownSizes(view: RunView, condition: Condition): Size[] {
  return sizesOf(countedOf(view, condition)).filter(({ bytes }) => bytes > 0);
}

function sizesMarkup(view: RunView, sizes: readonly Size[], name: string): Markup | null {
  if (sizes.length === 0) return null;
  const panel = (metric: Metric, words: AxisText) => {
    const chart = chartBySize(view, sizes, (each) => numberOf(each, metric), words);
    const places = crossoversOf(view, sizes, metric).flatMap(({ crossings: own, sentence }) =>
      own.map(({ bytes }) => ({ x: bytes, label: sentence })),
    );
    return { ...chart, marks: [crossings(places), ...chart.marks] };
  };
  const found = [TOTAL, GOODPUT].flatMap((metric) => crossoversOf(view, sizes, metric));
  return html`${
    found.length > 0
      ? html`<ul>${found.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`
      : view.compared.length > 0 &&
        html`<p>The sizes at which the faster stack changes are unknown: an interval needs ${FEWEST_FOR_INTERVAL} pairs of transfers of a size.</p>`
  }
${plotFigure({
  name: `goodput and total time by size, ${name}`,
  caption: null,
  panels: [panel(GOODPUT, RATE), panel(TOTAL, TIME)],
})}`;
}

const RATE: AxisText = {
  label: 'Median goodput in Mbit/s',
  factor: 1000,
  text: rateText,
  tickText: (kbps) => decimalText(kbps / 1000, 3),
};

const TIME: AxisText = {
  label: 'Median total time in ms',
  text: (valueMs) => `${millisecondsText(valueMs)} ms`,
  tickText: (valueMs) => decimalText(valueMs),
};
