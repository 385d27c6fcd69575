import { drawConditions } from '../../experiments/per-condition.ts';
import { subjectConditionKey } from '../../ground/records/cell.ts';
import type { LinkSample } from '../../ground/records/link-sample.ts';
import { limitKbps } from '../../ground/records/network.ts';
import { plotFigure } from '../../kit/charts/plot-figure.ts';
import { overTime, type Series } from '../../kit/charts/xy-chart.ts';
import { html, type Markup, siteName } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { type ChartStack, stackLabel } from '../../kit/page/stack.ts';
import { table } from '../../kit/page/table.ts';
import { decimalText, millisecondsText } from '../../kit/text/number.ts';
import { type ConditionView, type ReportView, stackOf } from './view.ts';

export const link: Section<ReportView> = {
  isShown: (view) => view.conditions.some((condition) => shownSites(view, condition).length > 0),
  ...defineFoldedSection('link', 'The link over time', (view) => ({
    about: 'capacity, traffic and queue of the limited link',
    content: html`<p>The link towards the browser during the median load of each stack: its capacity, what it carried, and the longest that a packet
waited for it. Time starts with the load. The folder <code>link</code> of the run has a table of each of these loads, in steps of 10&nbsp;ms and for both directions.</p>
${drawConditions(view, (condition, name) => shownSites(view, condition).map((site) => siteFigure(view, site, name)))}`,
  })),
};

/** One bin of a load's samples. The last one ends with the load. */
interface Bin {
  atMs: number;
  capacityMbps: number;
  carriedMbps: number;
  waitMs: number;
  drops: number;
}

interface ShownSite {
  subject: string;
  loads: readonly { arm: ChartStack; id: string; bins: readonly Bin[] }[];
}

/** More points than these make a line unreadable. */
const MOST_BINS = 60;
const BINS_MS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

function shownSites(view: ReportView, { network, rows }: ConditionView): ShownSite[] {
  if (limitKbps(network, 'toClient') === null) return [];
  return [...Map.groupBy(rows, subjectConditionKey).values()].flatMap((cells): ShownSite[] => {
    const carried = cells.flatMap(({ arm, loads }) => {
      const id = loads?.median ?? '';
      const samples = view.carried.get(id);
      if (samples === undefined) return [];
      return [{ arm: stackOf(view, arm), id, samples: atLimit(samples, network.rttMs / 2) }];
    });
    const [first] = cells;
    if (first === undefined || carried.length === 0) return [];
    const longestMs = Math.max(...carried.map(({ samples }) => endOf(samples)));
    const binMs = BINS_MS.find((each) => longestMs / each <= MOST_BINS) ?? longestMs;
    return [
      {
        subject: first.subject,
        loads: carried.map(({ samples, ...load }) => ({ ...load, bins: binsOf(samples, binMs) })),
      },
    ];
  });
}

/** Shifts samples back to when packets passed the limit: the delay comes after it, and packets are counted on arrival. */
function atLimit(samples: readonly LinkSample[], delayMs: number): LinkSample[] {
  return samples.map((sample) => {
    const later = Math.round(delayMs / sample.forMs);
    const { packets = 0, bytes = 0 } =
      samples[Math.round(sample.atMs / sample.forMs) + later]?.toClient ?? {};
    return { ...sample, toClient: { ...sample.toClient, packets, bytes } };
  });
}

/** When the last packet arrived. */
function endOf(samples: readonly LinkSample[]): number {
  const last = samples.findLast(({ toClient }) => toClient.packets > 0);
  return last === undefined ? 0 : last.atMs + last.forMs;
}

function binsOf(samples: readonly LinkSample[], binMs: number): Bin[] {
  const endMs = endOf(samples);
  const own = samples.filter(({ atMs }) => atMs < endMs);
  return [...Map.groupBy(own, ({ atMs }) => Math.floor(atMs / binMs))].map(([bin, steps]) => {
    const forMs = steps.reduce((sum, each) => sum + each.forMs, 0);
    // kbit/s are bits per ms.
    const mbps = (bytesIn: (step: LinkSample['toClient']) => number) =>
      (8 * steps.reduce((sum, { toClient }) => sum + bytesIn(toClient), 0)) / forMs / 1000;
    return {
      atMs: bin * binMs + forMs,
      capacityMbps: mbps(({ capacityBytes }) => capacityBytes),
      carriedMbps: mbps(({ bytes }) => bytes),
      waitMs: Math.max(...steps.map(({ toClient }) => toClient.mostWaitMs)),
      drops: steps.reduce((sum, { toClient }) => sum + toClient.queueDrops, 0),
    };
  });
}

/** The link belongs to no stack; it has the last colour. */
const CAPACITY: ChartStack = { arm: 'link', label: 'Capacity of the link', place: 5 };

function siteFigure(view: ReportView, { subject, loads }: ShownSite, name: string): Markup {
  const series = (valueIn: (bin: Bin) => number): Series[] =>
    loads.map(({ arm, bins }) => ({
      arm,
      points: bins.map((bin) => ({ x: bin.atMs, y: valueIn(bin) })),
    }));
  // The capacity is the same for all loads; the longest one shows most of it.
  const longest = loads.reduce((most, load) => (load.bins.length > most.bins.length ? load : most));
  const capacity = longest.bins.map(({ atMs, capacityMbps }) => ({ x: atMs, y: capacityMbps }));
  return plotFigure({
    name: `${subject} on the link, ${name}`,
    caption: html`<h4>${siteName(view, subject)}</h4>`,
    panels: [
      overTime([{ arm: CAPACITY, points: capacity }, ...series(({ carriedMbps }) => carriedMbps)], {
        label: 'Carried, Mbit/s',
      }),
      overTime(
        series(({ waitMs }) => waitMs),
        { label: 'Longest wait in the queue, ms' },
      ),
    ],
    data: table({
      caption: html`The link towards the browser, <bdi>${subject}</bdi>, <bdi>${name}</bdi>`,
      columns: [
        ['Until, ms', ({ atMs }) => millisecondsText(atMs)],
        ['Capacity, Mbit/s', ({ capacityMbps }) => decimalText(capacityMbps, 2)],
        ['Carried, Mbit/s', ({ carriedMbps }) => decimalText(carriedMbps, 2)],
        ['Longest wait, ms', ({ waitMs }) => millisecondsText(waitMs)],
        ['Packets dropped', ({ drops }) => drops],
      ],
      groups: loads.map(({ arm, id, bins }) => [
        html`${stackLabel(arm)} <span class="quiet">${id}</span>`,
        bins,
      ]),
    }),
  });
}
