import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { overTime as overTimeChart, type Point } from '../../../kit/charts/xy-chart.ts';
import { lineLegend } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { FLOW_STEP_MS } from '../records.ts';
import { flowIn, type MixTrials, medianTrial, mixesOf, type SharedTrial } from './trials.ts';

const BIN_MS = 1_000;
const STEPS_OF_BIN = BIN_MS / FLOW_STEP_MS;

export const overTime: Section<RunView> = {
  isShown: hasAny(mixesOf),
  ...defineOpenSection('flows', 'Flows over time', (view) => ({
    content: html`<p>Each mix shows the repetition with the median Jain’s index: the goodput of each flow in each second, and the maximum delay of the last packet in the bottleneck’s queue
in steps of ${FLOW_STEP_MS}&nbsp;ms. The file <code>sharing-series.csv</code> next to this one has these steps of all repetitions.</p>
${drawConditions(view, (condition, name) => mixesOf(view, condition).map((mix) => mixFigure(mix, name)))}`,
  })),
};

function mixFigure(mix: MixTrials, name: string): Markup | null {
  const trial = medianTrial(mix);
  if (trial === null) return null;
  const { subject, flows } = mix;
  const rates = flows.map((arm) => ({ arm, points: ratesOf(trial, arm.flow) }));
  const waits = queueOf(trial);
  const hasQueue = waits.length > 0;
  const bins = rates.reduce((most, { points }) => Math.max(most, points.length), 0);
  return plotFigure({
    name: `${subject} over time, ${name}`,
    caption: html`<h4>${nameOf(subject)}</h4>`,
    panels: [
      overTimeChart(rates, { label: 'Goodput, Mbit/s' }),
      ...(hasQueue
        ? [overTimeChart([{ arm: QUEUE, points: waits }], { label: 'Delay in the queue, ms' })]
        : []),
    ],
    legend: lineLegend(flows),
    data: table({
      caption: html`In each second, <bdi>${subject}</bdi>, <bdi>${name}</bdi>, <bdi>${trial.id}</bdi>`,
      columns: [
        ['Until, s', (bin) => bin + 1],
        ...rates.map(
          ({ arm, points }): Column<number> => [
            html`${stackLabel(arm)}, Mbit/s`,
            (bin) => rateText(points[bin]?.y),
          ],
        ),
        hasQueue && ['Delay in the queue, ms', (bin) => millisecondsText(longestIn(waits, bin))],
      ],
      items: [...Array(bins).keys()],
    }),
  });
}

function longestIn(waits: readonly Point[], bin: number): number | null {
  const own = waits.slice(bin * STEPS_OF_BIN, (bin + 1) * STEPS_OF_BIN);
  return own.length === 0 ? null : Math.max(...own.map(({ y }) => y ?? 0));
}

/** With the last colour of stacks, because the queue belongs to no stack. */
const QUEUE = { arm: 'queue', label: 'Queue', place: 5 };

function rateText(value: number | null | undefined): string {
  return value == null ? '–' : decimalText(value);
}

/** Mbit/s of a flow in each whole second; null: not begun. */
function ratesOf(trial: SharedTrial, name: string): Point[] {
  const found = flowIn(trial, name)?.flow;
  if (!found) return [];
  const { stepBytes, beganMs } = found;
  return binsOf(stepBytes, (bytes) => {
    const sum = bytes.reduce((total, each) => total + each, 0);
    return (8 * sum) / BIN_MS / 1000;
  }).map((point) => (point.x <= (beganMs ?? 0) ? { ...point, y: null } : point));
}

/** Maximum delay of the queue in each step, in ms. */
function queueOf({ attempts: [first] }: SharedTrial): Point[] {
  const waits = first?.details?.queue?.stepMs ?? [];
  return waits.map((value, step) => ({ x: (step + 1) * FLOW_STEP_MS, y: value }));
}

function binsOf(steps: readonly number[], inBin: (bin: readonly number[]) => number): Point[] {
  const bins = Math.floor(steps.length / STEPS_OF_BIN);
  return Array.from({ length: bins }, (_, bin) => ({
    x: (bin + 1) * BIN_MS,
    y: inBin(steps.slice(bin * STEPS_OF_BIN, (bin + 1) * STEPS_OF_BIN)),
  }));
}
