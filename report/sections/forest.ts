import { conditionName } from '../../experiments/condition.ts';
import type { Metric } from '../../ground/experiment.ts';
import { type ForestRow, forestChart, responsiveForest } from '../../kit/charts/forest-chart.ts';
import { estimateMarkup, verdictMarkup } from '../../kit/page/estimate.ts';
import { html, type Markup, scrollRegion, siteName } from '../../kit/page/markup.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { type Estimate, probabilityText, ratioText } from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText } from '../../kit/text/number.ts';
import { VERDICTS } from '../../kit/text/verdict.ts';
import { betterInPercent, type Comparison, type PrimaryAnswer } from '../summary/comparison.ts';
import { type ConditionView, labelOf, type ReportView } from './view.ts';

/** More sites share one line, so that the next answer stays visible; a list below has each of them. */
const MOST_ROWS = 8;

/** The chart of an answer: a row for each site, a diamond for all of them; their numbers are folded. */
export function forest(
  view: ReportView,
  condition: ConditionView,
  primary: PrimaryAnswer,
): Markup | null {
  const comparisons = comparisonsOf(condition, primary);
  if (comparisons.length === 0) return null;
  const { ratio, difference, verdict } = primary;
  const { arm, baseline } = primary;
  const { metric, summary } = view;
  const [site, sites] = view.experiment.site;
  const labels = { stackLabel: labelOf(view, arm), baselineLabel: labelOf(view, baseline) };
  const rows = comparisons.map(
    (each): ForestRow => ({
      name: each.subject,
      ratio: each.ratio,
      difference: each.difference,
      verdict: each.verdict,
    }),
  );
  const pooled =
    primary.nPairs > 0 && comparisons.length > 1
      ? { name: `all ${primary.nSites} ${sites}`, ratio, difference, verdict }
      : null;
  const name = `${labels.stackLabel} against ${labels.baselineLabel}, ${conditionName(condition)}`;
  const drawn = {
    ...labels,
    metric,
    sites,
    rows,
    pooled,
    marginPercent: summary.analysis.marginPercent,
  };
  // A single site has fewer pairs than all together, and a correction for more tests.
  const { nTests } = summary.analysis;
  const gathered = rows.length > MOST_ROWS;
  const label = `Forest plot: ratio of ${metric.phrases} of ${name}, with a 95 % interval for each of ${countWithNoun(rows.length, site, sites)}${pooled?.ratio ? ` and one for all ${sites} together` : ''}. The table below it has the same numbers.`;
  return html`<figure class="forest">
${responsiveForest(name, drawn, label, { gathered, besides: sharedAxisRatios(view, primary) })}
<details class="${gathered ? 'printed' : 'data'}"><summary>${rows.length > 1 ? html`Each ${site} alone${nTests > 1 && `, corrected for ${nTests} tests`}: ${verdictCounts(view, comparisons)}` : 'Numbers of this chart'}</summary>
${gathered && scrollRegion(`Chart, ${site} by ${site}: ${name}`, forestChart(drawn, label))}${scrollRegion(`Numbers: ${name}`, forestTable(view, name, comparisons))}</details>
</figure>
`;
}

function comparisonsOf(
  { comparisons }: ConditionView,
  { arm, baseline }: PrimaryAnswer,
): Comparison[] {
  return comparisons.filter((each) => each.arm === arm && each.baseline === baseline);
}

/** Charts of the same two stacks under all conditions share one axis, over these ratios. */
function sharedAxisRatios({ conditions }: ReportView, pair: PrimaryAnswer): (Estimate | null)[] {
  return conditions
    .flatMap((condition) => [
      ...comparisonsOf(condition, pair),
      ...condition.primary.filter(({ arm }) => arm === pair.arm),
    ])
    .map(({ ratio }) => ratio);
}

/** How many sites have each verdict: `2 faster, 3 undecided (1 with fewer than 6 pairs)`. */
function verdictCounts({ metric }: ReportView, comparisons: readonly Comparison[]): Markup {
  const counts = VERDICTS.map((verdict) => ({
    verdict,
    count: comparisons.filter((each) => each.verdict === verdict).length,
  })).filter(({ count }) => count > 0);
  const untested = comparisons.filter(({ p }) => p === null).length;
  return html`${counts.map(
    ({ verdict, count }, index) =>
      html`${index > 0 && ', '}${count} ${verdictMarkup(verdict, metric)}${verdict === 'undecided' && untested > 0 && ` (${untested} with fewer than 6 pairs)`}`,
  )}`;
}

function forestTable(view: ReportView, name: string, comparisons: readonly Comparison[]): Markup {
  const { metric, summary } = view;
  const { nTests } = summary.analysis;
  const [better] = metric.words;
  return table({
    caption: html`Ratio of ${metric.phrases}: <bdi>${name}</bdi>. ${capitalize(better)} in: share of the pairs in which the stack was the ${better} one.${
      nTests > 0 &&
      ` p: Wilcoxon's signed-rank test; adjusted: after Holm and Tarone, over ${countWithNoun(nTests, 'test')}.`
    }`,
    columns: [
      [capitalize(view.experiment.site[0]), ({ subject }) => siteName(view, subject)],
      ['Ratio', ({ ratio }) => estimateMarkup(ratio, ratioText)],
      ['Verdict', ({ verdict }) => verdictMarkup(verdict, metric), 'text'],
      ['Pairs', ({ nPairs }) => nPairs],
      [`${capitalize(better)} in`, (each) => betterText(each, metric)],
      ['p', ({ p }) => probabilityText(p)],
      ['p adjusted', ({ pHolm }) => probabilityText(pHolm)],
      [
        'Cliff’s delta',
        ({ cliffsDelta }) =>
          cliffsDelta === null ? '–' : cliffsDelta.toFixed(2).replace('-', '−'),
      ],
    ],
    items: comparisons,
  });
}

/** Share of the pairs in which the stack was the better one: `75 %`. */
export function betterText(
  comparison: Pick<Comparison, 'lowerInPercent'> | undefined,
  metric: Metric,
): string {
  const percent = comparison ? betterInPercent(comparison, metric) : null;
  return percent === null ? '–' : `${decimalText(percent, 0)} %`;
}
