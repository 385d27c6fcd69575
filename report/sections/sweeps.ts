import { listedText, placeText, restText } from '../../experiments/condition.ts';
import { type AnyDimension, DIMENSION_ROWS } from '../../ground/records/dimensions.ts';
import { type Axis, logAxis, nameAxis, quantityAxis, ratioAxis } from '../../kit/charts/axis.ts';
import { plotFigure } from '../../kit/charts/plot-figure.ts';
import { crossings, lines, type Point, symbols, type XyChart } from '../../kit/charts/xy-chart.ts';
import { estimateMarkup } from '../../kit/page/estimate.ts';
import { html, type Insert, type Markup, siteName } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { type Column, type Group, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText } from '../../kit/text/number.ts';
import { AND } from '../../kit/text/sentences.ts';
import { unitPhrase, valueText } from '../../kit/text/value.ts';
import { verdictWord } from '../../kit/text/verdict.ts';
import { answersAt, type Sweep } from '../summary/sweep.ts';
import {
  baselineText,
  type ComparedStack,
  labelledPairs,
  labelOf,
  type ReportView,
  stackOf,
} from './view.ts';

/** More sweeps of one factor are only counted. */
const MOST_SWEEPS = 4;

/** Ratios and medians over each factor in which networks differ while everything else is equal. */
export const sweeps: Section<ReportView> = {
  ...defineFoldedSection('sweeps', titleOf, contentOf),
  style:
    '.few-points { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; } .few-points .chart { flex: 0 1 28rem; min-width: 0; }',
};

/** With few points a chart is still clear at the width of a phone. */
const SIZE = { width: 360, height: 260, marginLeft: 46, marginRight: 14 };

function contentOf(view: ReportView) {
  const { metric, summary } = view;
  const byFactor = Map.groupBy(summary.sweeps, ({ factor }) => factor);
  return {
    about: `which stack is ${metric.words[0]} where`,
    content: html`<p>The conditions of a chart differ only in this factor.${view.compared.length > 0 && ` Ratios to ${baselineText(view)}, with their intervals, are those of the answers; the band is the margin.`}</p>
${[...byFactor.values()].map(
  (all) => html`${all.slice(0, MOST_SWEEPS).map((sweep) => sweepMarkup(view, sweep))}
${all.length > MOST_SWEEPS && html`<p>${all.length - MOST_SWEEPS} more sweeps of this factor, under other conditions, are in <code>sweeps</code> of summary.json.</p>`}`,
)}`,
  };
}

function titleOf({ summary }: ReportView): string {
  const nouns = new Set(summary.sweeps.map((sweep) => dimensionOf(sweep).noun));
  return `By ${AND.format(nouns)}`;
}

function dimensionOf({ factor }: Pick<Sweep, 'factor'>): AnyDimension {
  return DIMENSION_ROWS.find(({ field }) => field === factor) as AnyDimension;
}

/** A sweep in the words of its factor. */
interface Words {
  dimension: AnyDimension;
  /** Of its values, in their order. */
  values: readonly string[];
  /** What its conditions have in common; empty: nothing to add. */
  rest: string;
}

function wordsOf({ run }: ReportView, sweep: Sweep): Words {
  const dimension = dimensionOf(sweep);
  const networks = sweep.networks.flatMap(
    ({ name }) => run.networks.find((network) => network.name === name) ?? [],
  );
  const [first] = networks;
  return {
    dimension,
    values: networks.map((network) => listedText(dimension, network)),
    rest: first ? restText(dimension, first, sweep.variant) : '',
  };
}

function sweepMarkup(view: ReportView, sweep: Sweep): Markup {
  const words = wordsOf(view, sweep);
  const name = `by ${words.dimension.noun}${words.rest && `, ${words.rest}`}`;
  return html`<h3>${capitalize(words.dimension.noun)}: ${AND.format(words.values)}${words.rest && html`<span class="numbers">, ${words.rest}</span>`}</h3>
${view.compared.length > 0 && html`<ul>${view.compared.map((pair) => html`<li>${sentence(view, sweep, words, pair)}</li>`)}</ul>`}
${plotFigure({
  name,
  caption: html`<h4>Ratio, and median over ${countWithNoun(sweep.overSites[0]?.nSites ?? 0, ...view.experiment.site)}</h4>`,
  panels: [
    ...(view.compared.length > 0 ? [ratioPanel(view, sweep, words)] : []),
    medianPanel(view, sweep, words),
  ],
  box: 'few-points',
})}
${siteTable(view, sweep, words, name)}`;
}

/** Which of the two stacks is better at which values. */
function sentence(
  view: ReportView,
  sweep: Sweep,
  { dimension, values }: Words,
  pair: ComparedStack,
) {
  const { metric, summary } = view;
  const [better] = metric.words;
  const crossed = sweep.crossovers.flatMap(({ first, second, at, betterBelow }) => {
    if (first !== pair.arm || at === null) return [];
    const [below, above] = betterBelow === first ? [first, second] : [second, first];
    const text = (value: number | null) => placeText(dimension, rounded(value ?? 0));
    return html`<bdi>${labelOf(view, below)}</bdi> is ${better} below about ${text(at.estimate)}, <bdi>${labelOf(view, above)}</bdi> above (interval ${text(at.low)} to ${text(at.high)}). `;
  });
  if (crossed.length > 0) return html`${crossed}`;
  const answers = answersAt(sweep, summary.primary, pair.arm);
  const baseline = html`<bdi>${pair.baseline.label}</bdi>`;
  const said = [...Map.groupBy(answers.keys(), (place) => answers[place]?.verdict ?? null)].map(
    ([verdict, places], index) => {
      const listed = `${sweep.networks[0]?.value === null ? 'with' : 'at'} ${AND.format(places.map((place) => values[place] ?? ''))}`;
      const isAll = places.length === answers.length;
      const where = isAll ? 'at every value' : listed;
      const subject = index === 0 ? html`<bdi>${pair.label}</bdi>` : '; it';
      switch (verdict) {
        case null:
          return html`${subject} has no answer against ${baseline} ${where}`;
        case 'undecided':
          return html`${subject} does not surely differ from ${baseline} ${isAll ? 'at any value' : where}`;
        case 'same':
          return html`${subject} is within ${decimalText(summary.analysis.marginPercent)} % of ${baseline} ${where}`;
        default:
          return html`${subject} is ${verdictWord(verdict, metric)} than ${baseline} ${where}`;
      }
    },
  );
  return html`${said}.`;
}

function ratioPanel(view: ReportView, sweep: Sweep, words: Words): XyChart {
  const { marginPercent } = view.summary.analysis;
  const { better, words: sides } = view.metric;
  const series = labelledPairs(view).map((arm) => {
    const answers = answersAt(sweep, view.summary.primary, arm.arm);
    const ratios = answers.map((answer) => answer?.ratio ?? null);
    return { arm, ratios, points: pointsOf(sweep, ratios) };
  });
  const ratios = series.flatMap((each) => each.ratios);
  const below = sides[better === 'higher' ? 1 : 0];
  const crossed = sweep.crossovers.flatMap(({ at }) =>
    at ? [{ x: at.estimate, label: placeText(words.dimension, rounded(at.estimate)) }] : [],
  );
  return {
    x: axisOf(sweep, words),
    y: ratioAxis(ratios, marginPercent, {
      label: `Ratio to ${baselineText(view)}, below 1: ${below}`,
    }),
    series,
    size: SIZE,
    marks: [crossings(crossed), ...marksOf(sweep)],
  };
}

function medianPanel(view: ReportView, sweep: Sweep, words: Words): XyChart {
  const x = axisOf(sweep, words);
  const [, farthest] = x.domain;
  const all = sweep.overSites.map(({ arm, medians, roundTrips, interceptMs }) => ({
    arm: stackOf(view, arm),
    points: pointsOf(
      sweep,
      medians.map((estimate) => (estimate === null ? null : { estimate })),
    ),
    ends:
      roundTrips === null || interceptMs === null
        ? []
        : [0, farthest].map((at) => ({ x: at, y: interceptMs + roundTrips * at })),
  }));
  const straight = all.map(({ arm, ends }) => ({ arm, points: ends }));
  const shown = [...all, ...straight].flatMap(({ points }) => points.flatMap(({ y }) => y ?? []));
  const { phrase, unit } = view.metric;
  return {
    x,
    y: quantityAxis(shown, { label: `Median ${phrase}`, unit }),
    series: all,
    size: SIZE,
    marks: all.some(({ ends }) => ends.length > 0)
      ? [(_, axes) => lines(straight, axes), symbols]
      : marksOf(sweep),
  };
}

function pointsOf(
  { networks }: Sweep,
  estimates: readonly ((Pick<Estimate, 'estimate'> & Partial<Estimate>) | null)[],
): Point[] {
  return networks.map(({ value }, place) => {
    const { estimate: y = null, low = null, high = null } = estimates[place] ?? {};
    return { x: value ?? place, y, low, high };
  });
}

/** No more digits than the interval supports. */
function rounded(place: number): number {
  return Number(place.toPrecision(2));
}

/** Words have no values in between, so they have points and no line. */
function marksOf({ networks }: Sweep): XyChart['marks'] {
  return networks[0]?.value === null ? [symbols] : [lines, symbols];
}

function axisOf({ networks }: Sweep, { dimension, values }: Words): Axis {
  const { noun, scale } = dimension;
  const places = networks.flatMap(({ value }) => value ?? []);
  if (places.length === 0) return nameAxis(capitalize(noun), values);
  const isMeasured = networks.every(({ value, measuredRttMs }) => value === measuredRttMs);
  const words = {
    label: `${capitalize(noun)}${scale?.unit ? ` in ${scale.unit}` : ''}${isMeasured ? ', as measured' : ''}`,
    text: (place: number) => placeText(dimension, place),
    tickText: (place: number) => decimalText(place),
  };
  if (scale?.isLog) return logAxis(places, words);
  const most = Math.max(...places);
  return { ...words, domain: [-0.03 * most, 1.03 * most], ticks: 6 };
}

interface TableRow {
  label: string;
  medians: readonly (number | null)[];
  roundTrips: Insert;
  intercept: Insert;
}

/** Medians of each site, with lines of times over the round-trip time. */
function siteTable(view: ReportView, sweep: Sweep, { values }: Words, name: string): Insert {
  const { metric, experiment } = view;
  const [site, sites] = experiment.site;
  const bySite = Map.groupBy(sweep.rows, ({ subject }) => subject);
  const hasLines = sweep.rows.some(({ line }) => line !== null);
  if (bySite.size < 2 && !hasLines) return null;
  const text = (value: number | null) => valueText(value, metric.unit).replace('-', '−');
  const trips = (value: number) => value.toFixed(1).replace('-', '−');
  const groups = [...bySite].map(
    ([subject, rows]): Group<TableRow> => [
      siteName(view, subject),
      rows.map(({ line, ...row }) => ({
        ...row,
        roundTrips: estimateMarkup(line?.roundTrips, trips),
        intercept: estimateMarkup(line?.interceptMs, text),
      })),
    ],
  );
  const overSites: Group<TableRow> = [
    `Median over ${countWithNoun(sweep.overSites[0]?.nSites ?? 0, site, sites)}`,
    sweep.overSites.map(({ roundTrips, interceptMs, ...row }) => ({
      ...row,
      roundTrips: roundTrips === null ? '–' : trips(roundTrips),
      intercept: text(interceptMs),
    })),
  ];
  return html`${
    hasLines &&
    html`<p>A line through the medians splits the ${metric.phrase} into the time without a network, and the ms that each further ms of round-trip time costs.
The latter is about the number of sequential <strong>round trips</strong>.${values.length === 2 && ' With two round-trip times the line always goes through both points, so these data cannot show that it is straight.'}</p>`
  }
<details class="printed"><summary>${capitalize(site)} by ${site}${hasLines && ', with lines'}</summary>
${table({
  label: `${capitalize(site)} by ${site}, ${name}`,
  caption: html`Median ${metric.phrase}${unitPhrase(metric.unit)}, <bdi>${name}</bdi>`,
  columns: [
    ['Stack', ({ label }) => html`<bdi>${label}</bdi>`],
    ...values.map(
      (value, place): Column<TableRow> => [value, ({ medians }) => text(medians[place] ?? null)],
    ),
    hasLines && [html`Round trips<br>(ms per ms)`, ({ roundTrips }) => roundTrips, 'main'],
    hasLines && [html`Without<br>the network`, ({ intercept }) => intercept],
  ],
  groups: bySite.size > 1 ? [overSites, ...groups] : groups,
})}</details>`;
}
