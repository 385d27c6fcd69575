import { html, type Insert, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { type Column, type Columns, type Span, table } from '../../../kit/page/table.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { type AddedCost, LEAST_ROUND_TRIPS, type SiteCount } from './findings.ts';
import {
  PUBLISHED_PROTOCOLS,
  type PublishedComparison,
  type PublishedMeans,
  type SiteComparison,
  type SitesOverall,
} from './published-comparison.ts';
import {
  DELAY_TEXTS,
  PUBLISHED_DELAYS_MS,
  type PublishedDelayMs,
  type PublishedProtocol,
  SIDE_LABELS,
} from './published-numbers.ts';

type OverallLine = readonly [heading: string, of: (overall: SitesOverall) => Insert];

export function glanceTable({ published, ours, oursAsPublished }: PublishedComparison): Markup {
  const column = (heading: Insert, overall: SitesOverall): Column<OverallLine> => [
    heading,
    ([, of]) => of(overall),
  ];
  return table({
    label: 'Over all sites, published and in this run',
    caption: `Over all sites. More than 50 % faster: the mean by QUIC is less than half of the mean by HTTPS. Cost of 30 ms: the median over sites of the increase of the mean
by 30 ms of round-trip time, in round trips of 30 ms.`,
    columns: [
      ['', ([heading]) => heading],
      column('Published', published),
      column(html`This run,<br>where published`, oursAsPublished),
      column(html`This run,<br>all its sites`, ours),
    ],
    items: [
      ...PUBLISHED_DELAYS_MS.map(
        (delayMs): OverallLine => [
          `More than 50 % faster, ${DELAY_TEXTS[delayMs].replace(/^N/, 'n')}`,
          ({ muchFaster }) => siteCountText(muchFaster[delayMs]),
        ],
      ),
      ...PUBLISHED_PROTOCOLS.map(
        (protocol): OverallLine => [
          `Cost of 30 ms by ${SIDE_LABELS[protocol]}`,
          ({ addedRoundTrips }) => medianCost(addedRoundTrips[protocol], ' RTT'),
        ],
      ),
    ],
  });
}

function medianCost(
  { median, nSites }: SitesOverall['addedRoundTrips'][PublishedProtocol],
  unit = '',
): Insert {
  if (median === null) return '–';
  return html`${roundTripsText(median)}${unit}<small>${countWithNoun(nSites, 'site')}</small>`;
}

function siteCountText({ count, nSites }: SiteCount): string {
  return nSites === 0 ? '–' : `${count} of ${countWithNoun(nSites, 'site')}`;
}

/** null: all sites, in the footer. */
type Line = SiteComparison | null;

type Source = 'published' | 'ours';

type CellOf = (line: Line, source: Source, protocol: PublishedProtocol) => Insert | Span;

/** A row for each published site: both delays and their difference, published and in this run. */
export function publishedSiteTable(comparison: PublishedComparison): Markup {
  const labelOf = (source: Source, protocol: PublishedProtocol) =>
    source === 'published'
      ? SIDE_LABELS[protocol]
      : (comparison.arms[protocol]?.label ?? `no ${SIDE_LABELS[protocol]}`);
  const columns = (over: string, source: Source, of: CellOf): Columns<Line> => ({
    over,
    columns: PUBLISHED_PROTOCOLS.map(
      (protocol, place): Column<Line> => [
        html`<bdi>${labelOf(source, protocol)}</bdi>`,
        (line) => of(line, source, protocol),
        place === 0 ? 'edge' : '',
      ],
    ),
  });
  const group = (over: string, of: CellOf): Columns<Line> => ({
    over,
    columns: [columns('Published', 'published', of), columns('This run', 'ours', of)],
  });
  const times = (delayMs: PublishedDelayMs) =>
    group(DELAY_TEXTS[delayMs], (line, source, protocol) => {
      // Only costs have a median: one cell covers the times of both delays.
      if (line === null) return { span: 8 };
      const means = line[source][protocol];
      return 'printed' in means
        ? printedText(means, delayMs)
        : millisecondsText(means.meanMs[delayMs]);
    });
  return table<Line>({
    label: 'Published document times and those of this run',
    class: 'published',
    caption: `Mean document time in ms, as printed in 2018, and in this run. RTT: round-trip time. † and ‡ are explained
below the table; –: no number.`,
    columns: [
      ['Site', (line) => (line === null ? 'Median over sites' : nameOf(line.subject))],
      ...PUBLISHED_DELAYS_MS.map(times),
      group('Cost of the 30 ms, in RTTs of 30 ms', (line, source, protocol) =>
        line === null
          ? medianCost(comparison[source].addedRoundTrips[protocol])
          : costText(line[source][protocol].added),
      ),
    ],
    items: comparison.subjects,
    footer: null,
  });
}

function printedText({ printed, cutFromMs }: PublishedMeans, delayMs: PublishedDelayMs): Insert {
  const text = printed[delayMs] ?? '–';
  return delayMs === 0 && cutFromMs !== null ? [mark('†', 'cut'), text] : text;
}

function costText(added: AddedCost | null): Insert {
  if (added === null) return '–';
  const text = roundTripsText(added.roundTrips);
  return added.implausible === null ? text : [mark('‡', 'not possible'), text];
}

/** A sign before a number, with words for screen readers. */
function mark(sign: string, words: string): Markup {
  return html`<span class="mark" aria-hidden="true">${sign}</span><span class="hidden">${words}: </span>`;
}

/** Explains the marks of the site table, and lists the marked numbers. */
export function marks({ subjects, arms }: PublishedComparison): Markup {
  const cut = subjects.flatMap(({ subject, published }) =>
    PUBLISHED_PROTOCOLS.flatMap((protocol) => {
      const { printed, cutFromMs } = published[protocol];
      if (cutFromMs === null) return [];
      return `${subject} by ${SIDE_LABELS[protocol]}: printed ${printed[0]}, mean ${cutFromMs.toFixed(3)} ms`;
    }),
  );
  const notPossible = subjects.flatMap(({ subject, published, ours }) =>
    PUBLISHED_PROTOCOLS.flatMap((protocol) => {
      const sides = [
        { name: SIDE_LABELS[protocol], added: published[protocol].added },
        { name: `${arms[protocol]?.label} of this run`, added: ours[protocol].added },
      ];
      return sides.flatMap(({ name, added }) =>
        added?.implausible ? `${subject} by ${name} ${added.implausible}` : [],
      );
    }),
  );
  return html`<ul class="marks">
<li><strong>† Cut, not rounded</strong>: the mean of the published single loads would be rounded up, but the report’s table drops the
further digits. All other averages without delay are rounded correctly. ${list(cut)}</li>
<li><strong>‡ Not possible as a cost of the delay</strong>: a request waits for at least one round trip, so 30 ms added cannot cost less than 30 ms. Numbers below ${decimalText(LEAST_ROUND_TRIPS)} RTT are marked; numbers nearer to 1 may be noise of the means. Either the
delay was not in effect, or the noise was larger than the delay, or the loads were not comparable. ${list(notPossible)}</li>
</ul>`;
}

function list(items: readonly string[]): Markup {
  return html`${countWithNoun(items.length, 'number')}${items.length === 0 ? '.' : html`:<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`}`;
}

function roundTripsText(value: number | null): string {
  return value === null ? '–' : value.toFixed(2).replace('-', '−');
}
