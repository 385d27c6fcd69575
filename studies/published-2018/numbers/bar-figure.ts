import { type Bar, barChart } from '../../../kit/charts/bar-chart.ts';
import { figure, legend } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { type ChartStack, stackLabel } from '../../../kit/page/stack.ts';
import { countWithNoun, millisecondsText } from '../../../kit/text/number.ts';
import type { ReportView } from '../../../report/sections/view.ts';
import {
  PUBLISHED_PROTOCOLS,
  type PublishedComparison,
  type SiteComparison,
} from './published-comparison.ts';
import {
  DELAY_TEXTS,
  type PublishedDelayMs,
  type PublishedProtocol,
  SIDE_LABELS,
} from './published-numbers.ts';

export function publishedBarFigure(
  view: ReportView,
  comparison: PublishedComparison,
  delayMs: PublishedDelayMs,
): Markup {
  const arms = PUBLISHED_PROTOCOLS.flatMap((protocol, place): ChartStack[] => {
    const ours = view.arms.find(({ arm }) => arm === comparison.arms[protocol]?.arm);
    const theirs = { label: `published ${SIDE_LABELS[protocol]}`, place: ours?.place ?? place };
    return [
      { ...theirs, arm: stackOf('published', protocol), pale: true },
      ...(ours ? [{ ...ours, arm: stackOf('ours', protocol) }] : []),
    ];
  });
  const bars = comparison.subjects
    .flatMap((subject) => barsOf(subject, delayMs))
    .filter(({ arm }) => arms.some((each) => each.arm === arm));
  const farOff = farOffSite(bars);
  const shown = bars.filter(({ subject }) => subject !== farOff);
  const nSites = new Set(shown.map(({ subject }) => subject)).size;
  const text = DELAY_TEXTS[delayMs];
  return figure({
    name: `mean document time, published and in this run, ${text}`,
    caption: html`<h4>${text}</h4>
${
  farOff !== null &&
  html`<p class="quiet">Not drawn, because it would dwarf every other bar: ${nameOf(farOff)}, ${bars
    .filter(({ subject }) => subject === farOff)
    .map(
      ({ arm, mean }) =>
        `${arms.find((each) => each.arm === arm)?.label} ${millisecondsText(mean)} ms`,
    )
    .join(', ')}.</p>`
}`,
    legend: legend(arms.map((arm) => stackLabel(arm))),
    chart: barChart(
      shown,
      arms,
      `Bar chart of the mean document time of ${countWithNoun(nSites, 'site')}, published and in this run, ${text}. The table above it has the same numbers.`,
      { phrase: 'document time', unit: 'ms' },
    ),
    data: html`<p>The table “Mean document time, site by site” above has the numbers.</p>`,
  });
}

/** The bars of a site, if it was published with this delay. */
function barsOf({ subject, published, ours }: SiteComparison, delayMs: PublishedDelayMs): Bar[] {
  if (PUBLISHED_PROTOCOLS.every((protocol) => published[protocol].meanMs[delayMs] === null)) {
    return [];
  }
  return PUBLISHED_PROTOCOLS.flatMap((protocol) => [
    { subject, arm: stackOf('published', protocol), mean: published[protocol].meanMs[delayMs] },
    { subject, arm: stackOf('ours', protocol), mean: ours[protocol].meanMs[delayMs] },
  ]);
}

/** Ratio of the two sites' longest bars above which the longer one would dwarf the rest. */
const FAR_OFF = 3;

/** The one site that does not fit on the axis. */
function farOffSite(bars: readonly Bar[]): string | null {
  const [first, second] = [...Map.groupBy(bars, ({ subject }) => subject)]
    .map(([subject, ofSite]) => ({
      subject,
      ms: Math.max(...ofSite.map(({ mean }) => mean ?? 0)),
    }))
    .toSorted((a, b) => b.ms - a.ms);
  return first && second && first.ms > FAR_OFF * second.ms ? first.subject : null;
}

function stackOf(side: 'published' | 'ours', protocol: PublishedProtocol): string {
  return `${side}-${protocol}`;
}
