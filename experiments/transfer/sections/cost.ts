import { logAxis } from '../../../kit/charts/axis.ts';
import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { scatter, type XyChart } from '../../../kit/charts/xy-chart.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { decimalText, rateText } from '../../../kit/text/number.ts';
import { medianColumn } from '../../estimates.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { chartBySize } from './size-chart.ts';
import {
  type Condition,
  countedOf,
  isAbove0,
  type Size,
  sizesOf,
  type Transfer,
} from './transfers.ts';

const ENDS = ['client', 'server'] as const;

type End = (typeof ENDS)[number];

const tenths = (value: number) => decimalText(value, 1);

/** Processor time per byte at both ends, and share of a core by throughput. */
export const cost: Section<RunView> = {
  isShown: hasAny(costedSizes),
  ...defineFoldedSection('cost', 'Processor time', (view) => ({
    about: 'cost of a byte at client and server, and share of a core',
    content: html`<p>Processor time of each end from the start of a transfer to its end, including the kernel’s work for its processes. With QUIC the program handles packets and their encryption. With TCP the kernel does a part in interrupts, which belong to no program. In the second chart of a condition, an end
near 100 % of a core is saturated, unless it uses several cores.</p>
${drawConditions(view, (condition, name) => sizesMarkup(view, costedSizes(view, condition), name))}`,
  })),
};

/** Processor time of an end per byte of the body, in ns. */
function nsPerByteOf(end: End): (transfer: Transfer) => number | null {
  return ({ metrics, details }) => {
    const cpuMs = metrics[`${end}CpuMs`] ?? null;
    return cpuMs === null || !details?.bytes ? null : (1e6 * cpuMs) / details.bytes;
  };
}

/** Share of one core that an end used during the transfer, in percent. */
function corePercentOf(end: End): (transfer: Transfer) => number | null {
  return ({ metrics: { totalMs = null, ...metrics } }) => {
    const cpuMs = metrics[`${end}CpuMs`] ?? null;
    return cpuMs === null || !totalMs ? null : (100 * cpuMs) / totalMs;
  };
}

/** Bytes of a transfer divided by its total time. */
function throughputKbps({ metrics: { totalMs = null }, details }: Transfer): number | null {
  return details === null || !totalMs ? null : (8 * details.bytes) / totalMs;
}

function costedSizes(view: RunView, condition: Condition): Size[] {
  const isKnown = (each: Transfer) => ENDS.some((end) => nsPerByteOf(end)(each) !== null);
  return sizesOf(countedOf(view, condition).filter(isKnown));
}

function sizesMarkup(view: RunView, sizes: readonly Size[], name: string): Markup | null {
  return sizes.length === 0
    ? null
    : html`${bytesFigure(view, sizes, name)}${coreFigure(view, sizes, name)}`;
}

function bytesFigure(view: RunView, sizes: readonly Size[], name: string): Markup {
  return plotFigure({
    name: `processor time per byte, ${name}`,
    caption: html`<h4>Per byte of the body</h4>`,
    panels: ENDS.map((end) =>
      chartBySize(view, sizes, nsPerByteOf(end), {
        label: `The ${end}, median ns per byte`,
        text: (ns) => `${decimalText(ns, 1)} ns per byte`,
        tickText: (ns) => decimalText(ns, 3),
      }),
    ),
  });
}

function coreFigure({ arms }: RunView, sizes: readonly Size[], name: string): Markup {
  const panel = (end: End): XyChart => {
    const series = arms.map((arm) => ({
      arm,
      points: sizes.flatMap(({ subject, transfers }) =>
        (transfers.get(arm.arm) ?? []).flatMap((each) => {
          const [x, y] = [throughputKbps(each), corePercentOf(end)(each)];
          return isAbove0(x) && isAbove0(y) ? [{ name: subject, x, y }] : [];
        }),
      ),
    }));
    const all = series.flatMap(({ points }) => points);
    return {
      x: logAxis(
        all.map(({ x }) => x),
        {
          label: 'Throughput in Mbit/s',
          factor: 1000,
          text: rateText,
          tickText: (kbps) => decimalText(kbps / 1000, 3),
        },
      ),
      y: logAxis(
        all.map(({ y }) => y),
        {
          label: `The ${end}, % of one core`,
          text: (percent) => `${decimalText(percent, 1)} % of a core`,
          tickText: (percent) => decimalText(percent),
        },
      ),
      series,
      marks: [scatter],
    };
  };
  const valuesOf =
    (numberIn: (transfer: Transfer) => number | null) =>
    ({ own }: { own: readonly Transfer[] }) =>
      own.map(numberIn);
  return plotFigure({
    name: `processor and throughput, ${name}`,
    caption: html`<h4>Share of a core and throughput, transfer by transfer</h4>`,
    panels: ENDS.map(panel),
    data: table({
      caption: html`Medians: bytes divided by the total time, and the share of one core at each end, with 95 % intervals, <bdi>${name}</bdi>`,
      columns: [
        ['Stack', ({ arm }) => stackLabel(arm)],
        medianColumn('Throughput, Mbit/s', valuesOf(throughputKbps), (kbps) =>
          decimalText(kbps / 1000),
        ),
        ...ENDS.map((end) => medianColumn(`The ${end}, %`, valuesOf(corePercentOf(end)), tenths)),
      ],
      groups: sizes.map(({ subject, transfers }) => [
        nameOf(subject),
        arms.map((arm) => ({ arm, own: transfers.get(arm.arm) ?? [] })),
      ]),
    }),
  });
}
