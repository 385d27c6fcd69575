import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { overTime as overTimeChart } from '../../../kit/charts/xy-chart.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { decimalText, millisecondsText, sizeText } from '../../../kit/text/number.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { TransferStep } from '../records.ts';
import {
  type Condition,
  countedOf,
  medianTransfer,
  type Size,
  sizesOf,
  type Transfer,
} from './transfers.ts';

/** Shorter transfers are not shown. */
const FEWEST_STEPS = 3;

/** Steps of a transfer in the table; series.csv has all. */
const MOST_ROWS = 12;

interface Panel {
  label: string;
  valueIn(step: TransferStep): number | null;
  text(value: number): string;
}

const panel = (label: string, valueIn: Panel['valueIn'], text: Panel['text']): Panel => ({
  label,
  valueIn,
  text,
});

const bytes = (value: number) => sizeText(Math.round(value));
const tenths = (value: number) => decimalText(value, 1);
const percent = (value: number) => decimalText(value, 0);

const PANELS: readonly Panel[] = [
  panel('Bytes received', (step) => step.bytes, bytes),
  panel('Congestion window', ({ cwndBytes }) => cwndBytes, bytes),
  panel('Bytes in flight', ({ inFlightBytes }) => inFlightBytes, bytes),
  panel('Queue in ms', ({ queueMs }) => queueMs, tenths),
  panel('Round-trip time in ms', ({ rttMs }) => rttMs, tenths),
  panel('Client, % of one core', ({ clientCpuPercent }) => clientCpuPercent, percent),
  panel('Server, % of one core', ({ serverCpuPercent }) => serverCpuPercent, percent),
];

export const overTime: Section<RunView> = {
  isShown: hasAny(longSizes),
  ...defineFoldedSection('over-time', 'Over time', (view) => ({
    title: 'Transfers over time',
    about: 'bytes, windows, queue and processor of the median transfer',
    content: html`<p>For each size and stack, the transfer with the median total time, in steps of 100 ms. A line is missing if its values are unknown: the kernel reports the window of a TCP sender, but a QUIC
server only if its library does. <code>series.csv</code> in the folder of this report has the steps of every transfer.</p>
${drawConditions(view, (condition, name) => longSizes(view, condition).map((size) => sizeFigure(size, name)))}`,
  })),
};

interface ShownSize {
  subject: string;
  shown: readonly { arm: ShownArm; transfer: Transfer }[];
}

function longSizes(view: RunView, condition: Condition): ShownSize[] {
  return sizesOf(countedOf(view, condition)).flatMap((size) => {
    const shown = mediansOf(view.arms, size);
    const isLong = shown.some(({ transfer }) => stepsOf(transfer).length >= FEWEST_STEPS);
    return isLong ? [{ subject: size.subject, shown }] : [];
  });
}

function mediansOf(arms: readonly ShownArm[], { transfers }: Size): ShownSize['shown'] {
  return arms.flatMap((arm) => {
    const transfer = medianTransfer(transfers.get(arm.arm) ?? []);
    return transfer === null ? [] : [{ arm, transfer }];
  });
}

function stepsOf({ details }: Transfer): readonly TransferStep[] {
  return details?.series ?? [];
}

function sizeFigure({ subject, shown }: ShownSize, name: string): Markup {
  const panels = PANELS.filter(({ valueIn }) =>
    shown.some(({ transfer }) => stepsOf(transfer).some((step) => valueIn(step) !== null)),
  );
  return plotFigure({
    name: `${subject} over time, ${name}`,
    caption: html`<h4>${nameOf(subject)}</h4>`,
    panels: panels.map(({ label, valueIn, text }) =>
      overTimeChart(
        shown.map(({ arm, transfer }) => ({
          arm,
          points: stepsOf(transfer).map((step) => ({ x: step.atMs, y: valueIn(step) })),
        })),
        { label, tickText: text },
      ),
    ),
    data: table({
      caption: html`At most ${MOST_ROWS} steps of each transfer, <bdi>${subject}</bdi>, <bdi>${name}</bdi>; all of them are in series.csv, by the transfer’s id`,
      columns: [
        ['At, ms', ({ atMs }) => millisecondsText(atMs)],
        ...panels.map(({ label, valueIn, text }): Column<TransferStep> => {
          const textOf = (value: number | null) => (value === null ? '–' : text(value));
          return [label, (step) => textOf(valueIn(step))];
        }),
      ],
      groups: shown.map(({ arm, transfer }) => [
        html`${stackLabel(arm)} <span class="quiet">${transfer.id}</span>`,
        thinned(stepsOf(transfer)),
      ]),
    }),
  });
}

/** Every second, third ... step, the last one included. */
function thinned(steps: readonly TransferStep[]): TransferStep[] {
  const each = Math.ceil(steps.length / MOST_ROWS);
  return steps.filter((_, place) => (steps.length - 1 - place) % each === 0);
}
