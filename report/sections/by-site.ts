import { conditionName } from '../../experiments/condition.ts';
import { type Metric, numberOf } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { distributionChart } from '../../kit/charts/distribution-chart.ts';
import { estimateMarkup, verdictMarkup } from '../../kit/page/estimate.ts';
import { lineLegend } from '../../kit/page/figure.ts';
import { harHref, harLink } from '../../kit/page/links.ts';
import {
  conditionTitle,
  html,
  type Insert,
  type Markup,
  nameCharts,
  nameOf,
} from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import {
  type Estimate,
  keepUnitsTogether,
  probabilityText,
  ratioText,
} from '../../kit/text/estimate.ts';
import { bytesText, countWithNoun } from '../../kit/text/number.ts';
import { headingUnit, signedValueText, unitPhrase, valueText } from '../../kit/text/value.ts';
import type { SiteFacts } from '../summary/format.ts';
import { summaryOf } from '../summary/metrics.ts';
import type { SummaryRow } from '../summary/rows.ts';
import { reasonText } from '../text/reason.ts';
import { samplesOf, withinText } from './distributions.ts';
import { harOf, isKept } from './hars.ts';
import { siteId } from './sites.ts';
import {
  baselineText,
  blocksIn,
  type ConditionView,
  hasFewSubjects,
  labelledPairs,
  type ReportView,
  stackOf,
} from './view.ts';
import { waterfallStyle } from './waterfall.ts';
import { whyStyle } from './why.ts';

/** Site by site: verdicts with their reasons, single loads and their HARs, spread, other metrics. */
export const bySite: Section<ReportView> = {
  style: waterfallStyle + whyStyle,
  ...defineFoldedSection('by-site', byName, (view) => {
    const [one] = view.experiment.attempt;
    return {
      about: view.ofPages
        ? 'reasons of verdicts, waterfalls, every load and its HAR'
        : `reasons of verdicts, every ${one}`,
      content: html`${view.ofPages && aboutHars(view)}${aboutPackets(view)}${view.summary.subjects.map((subject, index) => siteSection(view, subject, index === 0 && view.summary.subjects.length === 1))}`,
    };
  }),
};

/** `Site by site`. */
function byName({ experiment }: ReportView): string {
  const [site] = experiment.site;
  return `${capitalize(site)} by ${site}`;
}

function aboutHars({ run }: ReportView): Markup {
  return html`<p>A HAR (HTTP Archive) holds every request of one load with its timings. <strong>To open one in Chromium or
Chrome:</strong> open DevTools (F12), choose the Network panel, then the “Import HAR” button (an arrow pointing up), or drag
the file onto the panel. The links lead to files in the run's folder; they work while this page stays in it.${
    run.choices.compressHars &&
    html` They are compressed: unpack one first (<code>gunzip</code> on its <code>.har.gz</code>).`
  }${keptText(run.choices.hars)}</p>`;
}

function aboutPackets({ run, experiment }: ReportView): Markup | null {
  const { packets = 'none' } = run.choices;
  if (packets === 'none') return null;
  const [one] = experiment.attempt;
  return html`<p>The folder <code>packets</code> of the run has the captured packets: a file for each ${one} that was captured${packets === 'median' && ' and kept'},
named as in the records. Wireshark opens them decrypted.</p>`;
}

function keptText(hars: RunRecord['choices']['hars']): string {
  if (hars === 'all') return '';
  const kept = hars === 'median' ? 'of the median loads, and ' : '';
  return ` This run kept only the HARs ${kept}of loads that are not ok.`;
}

function siteSection(view: ReportView, facts: SiteFacts, open: boolean): Markup {
  const { subject, source, kind, resources, hosts, wireBytes } = facts;
  return html`<details class="site" id="${siteId(view, subject)}"${open && html` open`}><summary><h3>${nameOf(subject)}</h3> <span class="quiet">${kind === 'generated' && 'generated'}${
    view.ofPages &&
    kind !== 'live' &&
    html`${kind === 'generated' && ' · '}${countWithNoun(resources, 'object')} ·
${countWithNoun(hosts, 'host')} · ${bytesText(wireBytes)}`
  }</span></summary>
<p class="quiet"><bdi>${source}</bdi></p>
${view.conditions.map((condition) => {
  const rows = condition.rows.filter((row) => row.subject === subject);
  if (rows.length === 0) return null;
  const story = view.stories.find(
    (each) =>
      each.subject === subject &&
      each.network === condition.network.name &&
      each.variant === condition.variant,
  );
  return cell(view, condition, subject, rows, story?.markup ?? null);
})}</details>`;
}

function cell(
  view: ReportView,
  condition: ConditionView,
  subject: string,
  rows: readonly SummaryRow[],
  story: Markup | null,
): Markup {
  const loads = condition.loads.filter((load) => load.subject === subject);
  const comparisons = condition.comparisons.filter((each) => each.subject === subject);
  const name = `${subject}, ${conditionName(condition)}`;
  const [one, several] = view.experiment.attempt;
  const pairs = labelledPairs(view);
  return html`<h4>${conditionTitle(condition)}</h4>
<ul class="reasons">${comparisons.map(
    (each) =>
      html`<li><bdi>${pairs.find(({ arm }) => arm === each.arm)?.label}</bdi> ${verdictMarkup(each.verdict, view.metric)}: ${keepUnitsTogether([reasonText(each, view.metric, { ...view, ...view.summary.analysis }), ...each.notes].join(' '))}</li>`,
  )}</ul>
<div class="side-by-side">${statisticsTable(view, name, rows, loads)}
${
  hasFewSubjects(view) &&
  html`<div class="small-chart">${lineLegend(view.arms)}${nameCharts(
    `spread of ${view.metric.phrases}, ${name}`,
    distributionChart(
      samplesOf(view, blocksIn(view, condition, subject), view.metric),
      `Line chart: share of the ${several} of ${name} that ${withinText(view.metric)}, a line for each stack. The list of all ${several} below has the numbers.`,
      { measured: view.metric.label, unit: view.metric.unit, attempts: several, small: true },
    ),
  )}</div>`
}</div>
${story}
${
  view.experiment.metrics.length > 1 &&
  html`<details><summary>Other metrics</summary>${metricsTable(view, condition, name, rows)}</details>`
}<details><summary>Every ${one} (${loads.length})</summary>${loadLists(view, name, loads)}</details>`;
}

function statisticsTable(
  view: ReportView,
  name: string,
  rows: readonly SummaryRow[],
  loads: readonly Observation[],
): Markup {
  const { unit } = view.metric;
  const [, several] = view.experiment.attempt;
  const text = (value: number | null | undefined) => valueText(value, unit);
  const hars = new Map(loads.map((load) => [load.id, harOf(load)]));
  const link = (id: string | undefined, words: string) => {
    const har = (id && hars.get(id)) || null;
    return har === null || isKept(view.kept, har)
      ? harLink(har, words)
      : html`<span class="quiet">${words}: not kept</span>`;
  };
  const of = (row: SummaryRow) => summaryOf(row, view.metric);
  type Line = readonly [what: string, of: (row: SummaryRow) => Insert];
  const lines: (Line | false)[] = [
    ['Mean', (row) => text(of(row).mean)],
    [
      'Median',
      (row) => {
        const { median, medianInterval } = of(row);
        return html`<strong>${text(median)}</strong>${
          medianInterval &&
          html`<small>${text(medianInterval.low)} to ${text(medianInterval.high)}</small>`
        }`;
      },
    ],
    ['SD', (row) => text(of(row).standardDeviation)],
    ['Least, most', (row) => `${text(of(row).minimum)}, ${text(of(row).maximum)}`],
    [`${capitalize(several)} that count`, ({ n, nPlanned }) => `${n} of ${nPlanned}`],
    [
      'Failed, invalid, excluded',
      ({ nFailed, nInvalid, nExcluded }) => `${nFailed}, ${nInvalid}, ${nExcluded}`,
    ],
    ['Disturbed, but counted', ({ nDisturbed }) => nDisturbed],
    ['Outliers, but counted', ({ outliers }) => outliers.length],
    view.ofPages && [
      'HARs',
      ({ loads: shown }) =>
        shown
          ? html`${link(shown.median, 'median load')}<br>${link(shown.fastest, 'fastest load')}<br>${link(shown.slowest, 'slowest load')}`
          : '–',
    ],
  ];
  return table({
    label: `${view.metric.label} of ${name}`,
    caption: html`${view.metric.label}${unitPhrase(unit)}. SD: standard deviation with n − 1. Excluded: ok, but the block was measured on several machines, or twice.`,
    columns: [
      ['', ([what]) => what],
      ...rows.map(
        (row): Column<Line> => [stackLabel(stackOf(view, row.arm)), ([, lineOf]) => lineOf(row)],
      ),
    ],
    items: lines.filter((each) => each !== false),
  });
}

function metricsTable(
  view: ReportView,
  condition: ConditionView,
  name: string,
  rows: readonly SummaryRow[],
): Markup {
  const further = view.experiment.metrics.filter(({ name: other }) => other !== view.metric.name);
  const missing = further.flatMap((metric) => {
    // The table already has a dash.
    if (rows.every((row) => summaryOf(row, metric).n === 0)) return [];
    const reasons = Map.groupBy(
      rows.flatMap((row) => summaryOf(row, metric).missing.map((each) => ({ ...each, row }))),
      ({ reason }) => reason,
    );
    return [...reasons].map(
      ([reason, found]) =>
        html`<li>${metric.label}: no value in some ${view.experiment.attempt[1]} (${found.map(({ row, count }) => `${row.label} ${count}`).join(', ')}) because ${reason}.</li>`,
    );
  });
  const subject = rows[0]?.subject;
  return html`${table({
    label: `Other metrics of ${name}`,
    class: 'metrics',
    caption: html`Medians of each stack; then differences to <bdi>${baselineText(view)}</bdi> with their 95 % intervals, ratios, and p after Benjamini and Hochberg. Exploratory.`,
    columns: [
      ['', ({ label, unit }) => `${label}${headingUnit(unit)}`],
      ...view.arms.map(
        (arm): Column<Metric> => [
          stackLabel(arm),
          ({ name: of, unit }) =>
            valueText(rows.find((row) => row.arm === arm.arm)?.metrics[of]?.median, unit),
        ],
      ),
      ...labelledPairs(view).flatMap(({ arm, label }): Column<Metric>[] => {
        const found = condition.comparisons.find(
          (each) => each.subject === subject && each.arm === arm,
        );
        const other = (metric: Metric) => found?.otherMetrics[metric.name];
        return [
          [
            html`<bdi>${label}</bdi>: difference`,
            (metric) =>
              estimateMarkup(other(metric)?.difference, (value) =>
                signedValueText(value, metric.unit),
              ),
            'edge',
          ],
          ['ratio', (metric) => ratioOf(other(metric)?.ratio ?? null)],
          ['p', (metric) => probabilityText(other(metric)?.pAdjusted ?? null)],
        ];
      }),
    ],
    items: further,
  })}${missing.length > 0 && html`<ul class="quiet">${missing}</ul>`}`;
}

function ratioOf(ratio: Estimate | null): string {
  return ratio === null ? '–' : ratioText(ratio.estimate);
}

/** Each load's time, in the order run, as a link to its HAR; kept short for long runs. */
function loadLists(view: ReportView, name: string, loads: readonly Observation[]): Markup {
  const [one, several] = view.experiment.attempt;
  const { metric, ofPages } = view;
  return table({
    label: `Every ${one} of ${name}`,
    class: 'loads',
    caption: html`${capitalize(metric.phrases)}${unitPhrase(metric.unit)} in the order run${ofPages && ', each a link to its HAR'}.
* the machine was disturbed; (in brackets) ok, but excluded; failed and invalid ${several} by their codes`,
    columns: [
      ['', ([arm]) => stackLabel(stackOf(view, arm))],
      ['', ([, own]) => own.map((load) => html`${loadLink(view, load)} `)],
    ],
    items: view.run.arms
      .map(({ arm }) => [arm, loads.filter((load) => load.arm === arm)] as const)
      .filter(([, own]) => own.length > 0),
  });
}

function loadLink({ counted: ids, metric, kept }: ReportView, load: Observation): Markup {
  const value = numberOf(load, metric);
  const time =
    load.outcome === 'ok' && value !== null
      ? valueText(value, metric.unit)
      : (load.code ?? load.outcome);
  const text =
    load.outcome !== 'ok' || ids.has(load.id)
      ? `${time}${load.disturbed === null ? '' : '*'}`
      : `(${time})`;
  const har = harOf(load);
  const href = har === null || !isKept(kept, har) ? null : harHref(har);
  return href === null ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`;
}
