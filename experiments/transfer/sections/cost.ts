import { type ScatterPoint, scatterChart } from '../../../kit/charts/scatter-chart.ts';
import { sizeChart, type ValueAxis } from '../../../kit/charts/size-chart.ts';
import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { figure, lineLegend, symbolLegend } from '../../../kit/page/figure.ts';
import { conditionTitle, html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { counted, decimalText, rateText } from '../../../kit/text/number.ts';
import { hasAny } from '../../by-condition.ts';
import { conditionName } from '../../condition.ts';
import type { RunView } from '../../run-view.ts';
import {
  type Condition,
  countedOf,
  isAbove0,
  middleOf,
  type Size,
  sizesOf,
  type Transfer,
} from './transfers.ts';

const ENDS = ['client', 'server'] as const;

type End = (typeof ENDS)[number];

/** What a byte costs either end, and what of a core a transfer takes at the rate it reaches. */
export const cost: Section<RunView> = {
  isShown: hasAny(costedSizes),
  ...folded('cost', 'Processor time', (view) => ({
    about: 'what a byte costs client and server, and how much of a core a transfer takes',
    content: html`<p>Processor time of each end from the beginning of a transfer to its end, the kernel’s work for its processes included. QUIC does its packets and their encryption in the program; of TCP the kernel does a part in interrupts, which belong to no program. In the second chart of a condition an end
near 100 % of a core has no more to give, unless it uses several.</p>
${view.conditions.map((condition) => conditionMarkup(view, condition))}`,
  })),
};

/** Processor time of an end by the bytes of the body, in ns. */
function nsPerByteOf(end: End): (transfer: Transfer) => number | null {
  return ({ metrics, details }) => {
    const cpuMs = metrics[`${end}CpuMs`] ?? null;
    return cpuMs === null || !details?.bytes ? null : (1e6 * cpuMs) / details.bytes;
  };
}

/** What of one core an end took while the transfer went on, in percent. */
function corePercentOf(end: End): (transfer: Transfer) => number | null {
  return ({ metrics: { totalMs = null, ...metrics } }) => {
    const cpuMs = metrics[`${end}CpuMs`] ?? null;
    return cpuMs === null || !totalMs ? null : (100 * cpuMs) / totalMs;
  };
}

/** All bytes of a transfer by its total time, in kbit/s. */
function throughputKbps({ metrics: { totalMs = null }, details }: Transfer): number | null {
  return details === null || !totalMs ? null : (8 * details.bytes) / totalMs;
}

function costedSizes(view: RunView, condition: Condition): Size[] {
  const isKnown = (each: Transfer) => ENDS.some((end) => nsPerByteOf(end)(each) !== null);
  return sizesOf(countedOf(view, condition).filter(isKnown));
}

function conditionMarkup(view: RunView, condition: Condition): Markup | null {
  const sizes = costedSizes(view, condition);
  if (sizes.length === 0) return null;
  return html`<h3>${conditionTitle(condition)}</h3>
${bytesFigure(view, sizes, conditionName(condition))}${coreFigure(view, sizes, conditionName(condition))}`;
}

function bytesFigure({ arms }: RunView, sizes: readonly Size[], name: string): Markup {
  const panel = (end: End) =>
    sizeChart(
      arms.map((arm) => ({
        arm,
        points: sizes.flatMap(({ bytes, transfers }) => {
          const middle = middleOf(transfers.get(arm.arm), nsPerByteOf(end));
          if (middle === null || !isAbove0(middle.estimate)) return [];
          const { estimate: value, low, high } = middle;
          return [{ bytes, value, ...(isAbove0(low) ? { low, high } : { low: null, high: null }) }];
        }),
      })),
      [],
      perByteAxis(end),
      `Line chart: median processor time of the ${end} per byte by size, a line for each of ${counted(arms.length, 'stack')}, ${name}. The table below has the same numbers.`,
    );
  return figure({
    name: `processor time per byte, ${name}`,
    caption: html`<h4>Per byte of the body</h4>`,
    legend: lineLegend(arms),
    chart: html`<div class="panels">${ENDS.map(panel)}</div>`,
    data: table(
      { arms },
      sizes,
      html`Median processor time per byte in ns, with 95 % intervals, <bdi>${name}</bdi>`,
      ENDS.map((end) => ({
        heading: `The ${end}`,
        numberIn: nsPerByteOf(end),
        text: (ns) => decimalText(ns, 1),
      })),
    ),
  });
}

function perByteAxis(end: End): ValueAxis {
  return {
    label: `The ${end}, ns per byte`,
    text: (ns) => `${decimalText(ns, 1)} ns per byte`,
    tickText: (ns) => decimalText(ns, 3),
  };
}

function coreFigure({ arms }: RunView, sizes: readonly Size[], name: string): Markup {
  const panel = (end: End) =>
    scatterChart(
      sizes.flatMap(({ transfers }) =>
        [...transfers.values()].flat().flatMap((each): ScatterPoint[] => {
          const [x, y] = [throughputKbps(each), corePercentOf(end)(each)];
          return x === null || y === null ? [] : [{ name: each.subject, arm: each.arm, x, y }];
        }),
      ),
      {
        x: {
          label: 'Throughput in Mbit/s',
          text: rateText,
          tickText: (kbps) => decimalText(kbps / 1000, 3),
        },
        y: {
          label: `The ${end}, % of one core`,
          text: (percent) => `${decimalText(percent, 1)} % of a core`,
          tickText: (percent) => decimalText(percent),
        },
      },
      arms,
      `Scatter chart: how much of a core the ${end} took against the throughput, a sign for each transfer, ${name}. The table below has medians.`,
    );
  return figure({
    name: `processor and throughput, ${name}`,
    caption: html`<h4>Share of a core and throughput, transfer by transfer</h4>`,
    legend: symbolLegend(arms),
    chart: html`<div class="panels">${ENDS.map(panel)}</div>`,
    data: table(
      { arms },
      sizes,
      html`Medians: all bytes by the total time, and what each end took of one core meanwhile, with 95 % intervals, <bdi>${name}</bdi>`,
      [
        {
          heading: 'Throughput, Mbit/s',
          numberIn: throughputKbps,
          text: (kbps: number) => decimalText(kbps / 1000),
        },
        ...ENDS.map((end) => ({
          heading: `The ${end}, %`,
          numberIn: corePercentOf(end),
          text: (percent: number) => decimalText(percent, 1),
        })),
      ],
    ),
  });
}

interface Column {
  heading: string;
  numberIn(transfer: Transfer): number | null;
  text(value: number): string;
}

function table(
  { arms }: Pick<RunView, 'arms'>,
  sizes: readonly Size[],
  caption: Markup,
  columns: readonly Column[],
): Markup {
  return html`<table><caption>${caption}</caption>
<thead><tr><th scope="col" class="text">Stack</th>${columns.map(({ heading }) => html`<th scope="col">${heading}</th>`)}</tr></thead>
${sizes.map(
  ({
    subject,
    transfers,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${columns.length + 1}">${nameOf(subject)}</th></tr>
${arms.map(
  (arm) =>
    html`<tr><th scope="row" class="stack">${stackLabel(arm)}</th>${columns.map(
      ({ numberIn, text }) =>
        html`<td>${estimateMarkup(middleOf(transfers.get(arm.arm), numberIn), text)}</td>`,
    )}</tr>`,
)}</tbody>`,
)}</table>`;
}
