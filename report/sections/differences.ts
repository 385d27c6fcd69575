import { conditionName } from '../../experiments/condition.ts';
import { worsening } from '../../ground/experiment.ts';
import type { Unit } from '../../ground/unit.ts';
import { differenceChart } from '../../kit/charts/difference-chart.ts';
import { distributionChart } from '../../kit/charts/distribution-chart.ts';
import { divergingChart } from '../../kit/charts/diverging-chart.ts';
import { estimateMarkup, verdictMarkup } from '../../kit/page/estimate.ts';
import { figure, legend, lineLegend } from '../../kit/page/figure.ts';
import { conditionTitle, html, type Markup, siteName } from '../../kit/page/markup.ts';
import { colourNumber, stackColour, stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import {
  differenceText,
  headingUnit,
  signedValueText,
  unitPhrase,
  unitSuffix,
} from '../../kit/text/value.ts';
import { sideOf, VERDICTS, verdictWord } from '../../kit/text/verdict.ts';
import { quantile } from '../../statistics/quantile.ts';
import type { Comparison } from '../summary/comparison.ts';
import { differencesOf, testedPairs, type ValuePair } from '../summary/paired-values.ts';
import { betterText } from './forest.ts';
import {
  baselineText,
  blocksIn,
  type ComparedStack,
  type ConditionView,
  labelledPairs,
  type ReportView,
} from './view.ts';

const QUARTILES = { Least: 0, '25 %': 0.25, Median: 0.5, '75 %': 0.75, Most: 1 };

/** Differences of two stacks under one condition, pair by pair, around zero. */
export function differenceFigure(
  view: ReportView,
  condition: ConditionView,
  arm: ComparedStack,
): Markup | null {
  const { metric, run } = view;
  const [better] = metric.words;
  const [, several] = view.experiment.attempt;
  const text = (value: number | null) => pairText(value, metric.unit);
  const withUnit = (value: number | null) => `${text(value)}${unitSuffix(metric.unit)}`;
  const subjects = run.subjects.flatMap(({ subject }) => {
    const differences = differencesOf(pairsIn(view, condition, arm, subject));
    const found = condition.comparisons.find(
      (each) => each.subject === subject && each.arm === arm.arm,
    );
    return differences.length > 0
      ? [{ subject, differences, betterIn: betterText(found, metric) }]
      : [];
  });
  if (subjects.length === 0) return null;
  const isFailed = subjects.some(({ differences }) => !differences.every(Number.isFinite));
  const pair = `${arm.label} against ${arm.baseline.label}`;
  const name = `differences of ${metric.phrases}, ${pair}, ${conditionName(condition)}`;
  return figure({
    name,
    caption: html`<h4>${pair}<span class="numbers">, </span>${conditionTitle(condition)}</h4>`,
    legend: legend([
      html`<span class="sign stack-${colourNumber(arm.place)}" aria-hidden="true">●</span>a pair of ${several}`,
      ...(isFailed
        ? [html`<span class="sign" aria-hidden="true">×</span>one of the two failed`]
        : []),
      html`<span class="sign" aria-hidden="true">❙</span>median`,
    ]),
    chart: differenceChart(
      subjects.map(({ subject, differences, betterIn }) => ({
        name: subject,
        differences,
        text: `median ${withUnit(quantile(differences, 0.5))}, ${better} in ${betterIn}`,
      })),
      stackColour(arm),
      `Strip chart: ${name}, a dot for each of ${countWithNoun(subjects.flatMap(({ differences }) => differences).length, 'pair')} of ${several}, a row for each of ${countWithNoun(subjects.length, ...view.experiment.site)}, with zero marked. The table below it has their quartiles.`,
      metric.unit,
    ),
    data: table({
      caption: html`Difference${unitPhrase(metric.unit)}, pair by pair: <bdi>${pair}</bdi>, <bdi>${conditionName(condition)}</bdi>. ${capitalize(better)} in: share of the pairs in which the stack was the ${better} one.${isFailed && ' Failed: one of the two has no number.'}`,
      columns: [
        [capitalize(view.experiment.site[0]), ({ subject }) => siteName(view, subject)],
        ['Pairs', ({ differences }) => differences.length],
        ...Object.entries(QUARTILES).map(
          ([heading, share]): Column<(typeof subjects)[number]> => [
            heading,
            ({ differences }) => text(quantile(differences, share)),
          ],
        ),
        [`${capitalize(better)} in`, ({ betterIn }) => betterIn],
      ],
      items: subjects,
    }),
  });
}

/** Leads that published comparisons of connections counted; other metrics have none. */
const LEADS_MS = [10, 20];

/** Cumulative distribution of the pairs' differences under a condition, a line for each stack. */
export function differenceDistribution(view: ReportView, condition: ConditionView): Markup | null {
  const { metric, run } = view;
  const pairs = labelledPairs(view);
  const [better] = metric.words;
  const [, several] = view.experiment.attempt;
  const samples = pairs.map((arm) => ({
    arm,
    // Two failures are a tie for a test, but have no difference.
    values: differencesOf(
      run.subjects
        .flatMap(({ subject }) => pairsIn(view, condition, arm, subject))
        .filter((values) => values.some(Number.isFinite)),
    ),
  }));
  if (samples.every(({ values }) => values.length === 0)) return null;
  const name = `distribution of differences, ${conditionName(condition)}`;
  const leads = metric.unit === 'ms' ? LEADS_MS : [];
  const suffix = unitSuffix(metric.unit);
  const lead = (difference: number) => -worsening(difference, metric);
  const shareColumn = (
    heading: string,
    isMeant: (difference: number) => boolean,
  ): Column<(typeof samples)[number]> => [
    heading,
    ({ values }) =>
      values.length === 0
        ? '–'
        : `${decimalText((100 * values.filter(isMeant).length) / values.length, 1)} %`,
  ];
  return figure({
    name,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    legend: lineLegend(pairs),
    chart: distributionChart(
      samples,
      `Line chart: share of the pairs of ${several} whose difference to ${baselineText(view)} is at most so${metric.unit === 'ms' ? ' many ms' : ' much'}, a line for each of ${countWithNoun(pairs.length, 'stack')}, ${conditionName(condition)}, with zero marked. The table below it has some of its points.`,
      { measured: 'Difference of a pair', unit: metric.unit, attempts: 'pairs', signed: true },
    ),
    data: table({
      caption: html`Pairs of ${several} of one block, all together, <bdi>${conditionName(condition)}</bdi>: by how much each stack's ${metric.phrase} ${worsening(1, metric) > 0 ? 'was less' : 'was more'} than that of <bdi>${baselineText(view)}</bdi>. Pairs of which both failed are excluded`,
      columns: [
        ['Stack', ({ arm }) => stackLabel(arm)],
        ['Pairs', ({ values }) => countText(values.length)],
        [
          `Median difference${headingUnit(metric.unit)}`,
          ({ values }) =>
            values.length === 0 ? '–' : pairText(quantile(values, 0.5), metric.unit),
        ],
        shareColumn(capitalize(better), (each) => lead(each) > 0),
        ...leads.map((least) =>
          shareColumn(`By ${least}${suffix} or more`, (each) => lead(each) >= least),
        ),
        [
          'One failed',
          ({ values }) => countText(values.filter((each) => !Number.isFinite(each)).length),
        ],
      ],
      items: samples,
    }),
  });
}

function pairsIn(
  view: ReportView,
  condition: ConditionView,
  { arm, baseline }: ComparedStack,
  subject: string,
): ValuePair[] {
  return testedPairs(blocksIn(view, condition, subject), view.metric, arm, baseline.arm).map(
    ({ values }) => values,
  );
}

/** Where one of the two failed there is no difference. */
function pairText(difference: number | null, unit: Unit): string {
  return difference === null || !Number.isFinite(difference)
    ? 'failed'
    : differenceText(difference, unit);
}

/** Differences of a stack from its baseline under one condition, a bar for each site, the best first. */
export function siteDifferences(
  view: ReportView,
  condition: ConditionView,
  arm: ComparedStack,
): Markup | null {
  const { metric } = view;
  const rank = (comparison: Comparison) => worsening(placeOf(comparison, view), metric);
  const sorted = condition.comparisons
    .filter((each) => each.arm === arm.arm && each.nPairs > 0)
    .toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
  if (sorted.length === 0) return null;
  const pair = `${arm.label} against ${arm.baseline.label}`;
  const name = `differences of ${metric.phrases} by ${view.experiment.site[0]}, ${pair}, ${conditionName(condition)}`;
  const shown = VERDICTS.filter((verdict) => sorted.some((each) => each.verdict === verdict));
  return figure({
    name,
    caption: html`<h4>${pair}<span class="numbers">, </span>${conditionTitle(condition)}</h4>`,
    legend: sorted.length > 1 && legend(shown.map((verdict) => verdictMarkup(verdict, metric))),
    // One bar says no more than its number.
    chart:
      sorted.length > 1 &&
      divergingChart(
        sorted.map(({ subject, difference, verdict }) => ({ name: subject, difference, verdict })),
        metric,
        `Diverging bar chart: ${name}, a bar for each of ${countWithNoun(sorted.length, ...view.experiment.site)}, from ${metric.words.join(' to ')}, with 95 % intervals. The table below it has the same numbers.`,
      ),
    data: table({
      caption: html`Difference${unitPhrase(metric.unit)} with its 95 % interval: <bdi>${pair}</bdi>, <bdi>${conditionName(condition)}</bdi>`,
      columns: [
        [capitalize(view.experiment.site[0]), ({ subject }) => siteName(view, subject)],
        [
          `Difference${headingUnit(metric.unit)}`,
          ({ difference }) =>
            estimateMarkup(difference, (value) => signedValueText(value, metric.unit)),
        ],
        ['Verdict', ({ verdict }) => verdictWord(verdict, metric), 'text'],
        ['Pairs', ({ nPairs }) => nPairs],
      ],
      items: sorted,
    }),
  });
}

/** Without a difference because of failures, the verdict gives the side; undecided sites come last. */
function placeOf({ difference, verdict }: Comparison, { metric }: ReportView): number {
  if (difference !== null) return difference.estimate;
  const side = sideOf(verdict, metric) ?? (worsening(1, metric) > 0 ? 'above' : 'below');
  return side === 'above' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}
