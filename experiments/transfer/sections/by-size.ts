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

/** Goodput and total time by size, and from which size on another stack is the faster one. */
export const bySize: Section<RunView> = {
  isShown: (view) => view.conditions.some((condition) => shownSizes(view, condition).length > 1),
  ...defineOpenSection('by-bytes', 'Goodput by size', (view) => ({
    title: 'Goodput and time by size',
    content: html`<p>Medians of each size and stack, with their 95 % intervals; both axes are logarithmic. <strong>Goodput</strong> is what of the rate is left for the body once it flows,
so round trips of the handshake are not in it; the <strong>total time</strong> has them, and of small files it is little else. The stack that is ahead at a size is surely so where the 95 % interval of the ratio, pair by pair,
leaves out 1, however little it is ahead; each size stands for itself. A transfer that failed has no time and is in no pair here, while verdicts count it as worse than all that ended. Between two such sizes the logarithm of the ratio is taken to change evenly with that of the size.</p>
${drawConditions(view, (condition, name) => sizesMarkup(view, shownSizes(view, condition), name))}`,
  })),
};

/** Those that a logarithmic axis can show. */
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
  const told = [TOTAL, GOODPUT].flatMap((metric) => crossoversOf(view, sizes, metric));
  return html`${
    told.length > 0
      ? html`<ul>${told.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`
      : view.compared.length > 0 &&
        html`<p>From which size on another stack is the faster one cannot be told: an interval needs ${FEWEST_FOR_INTERVAL} pairs of transfers of a size.</p>`
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
