import { type Metric, numberOf } from '../../../ground/experiment.ts';
import { networkKeyWithout } from '../../../ground/records/network.ts';
import { quantityAxis } from '../../../kit/charts/axis.ts';
import { plotFigure } from '../../../kit/charts/plot-figure.ts';
import { lines, symbols, type XyChart } from '../../../kit/charts/xy-chart.ts';
import { estimateMarkup, verdictMarkup } from '../../../kit/page/estimate.ts';
import { html, type Insert, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { ratioText } from '../../../kit/text/estimate.ts';
import { decimalText } from '../../../kit/text/number.ts';
import { headingUnit, valueText } from '../../../kit/text/value.ts';
import { type Verdict, verdictWord } from '../../../kit/text/verdict.ts';
import { medianEstimate } from '../../estimates.ts';
import type { ComparedArm, RunView } from '../../run-view.ts';
import { VIDEO_METRICS } from '../metrics.ts';
import { type Condition, videosOf } from './sessions.ts';

const SHOWN = VIDEO_METRICS.filter(({ better, name }) => better !== null || name === 'stalledMs');

const VERDICT_METRICS = VIDEO_METRICS.filter(({ better }) => better !== null);

/** Where stacks differ by loss, in runs with networks that differ in loss alone. */
export const byLoss: Section<RunView> = {
  isShown: (view) => sweepsOf(view).length > 0,
  ...defineOpenSection('by-loss', 'By loss', (view) => ({
    title: 'Differences by loss',
    content: html`<p>Networks that differ in loss alone: medians over the sessions with 95 % intervals, and the verdicts of the tables above ordered by loss. A difference is reported from the smallest loss at which the verdict
is the same as at every larger loss measured. Nothing was measured between two losses.</p>
${sweepsOf(view).map((sweep) => sweepMarkup(view, sweep))}`,
  })),
};

interface LossSweep {
  video: string;
  name: string;
  conditions: readonly Condition[];
}

function sweepsOf(view: RunView): LossSweep[] {
  const alike = Map.groupBy(view.conditions, ({ network, variant }) =>
    JSON.stringify([networkKeyWithout(network, 'lossPercent'), variant]),
  );
  return [...alike.values()].flatMap((group) => {
    const conditions = group.toSorted((a, b) => a.network.lossPercent - b.network.lossPercent);
    if (conditions.length < 2) return [];
    const videos = new Set(
      conditions.flatMap((condition) => videosOf(view, condition).map(({ video }) => video)),
    );
    const name = [
      conditions.map(({ network }) => network.name).join(', '),
      conditions[0]?.variantText,
    ];
    return [...videos].map((video) => ({
      video,
      name: name.filter(Boolean).join(', '),
      conditions,
    }));
  });
}

function sweepMarkup(view: RunView, sweep: LossSweep): Markup {
  const { video, name } = sweep;
  const shown = SHOWN.filter((metric) =>
    view.arms.some(({ arm }) => pointsOf(view, sweep, arm, metric).length > 0),
  );
  return html`<h3>${nameOf(video)}<span class="numbers">, ${name}</span></h3>
${view.compared.map(
  (pair) =>
    html`<ul>${VERDICT_METRICS.map((metric) => html`<li>${sentence(view, sweep, pair, metric)}</li>`)}</ul>`,
)}
${plotFigure({
  name: `by loss, ${video}, ${name}`,
  caption: null,
  panels: shown.map((metric) => panel(view, sweep, metric)),
  data: lossTable(view, sweep, shown),
})}`;
}

function panel(view: RunView, sweep: LossSweep, metric: Metric): XyChart {
  const series = view.arms.map((arm) => ({
    arm,
    points: pointsOf(view, sweep, arm.arm, metric).map(({ lossPercent, estimate, low, high }) => ({
      x: lossPercent,
      y: estimate,
      low,
      high,
    })),
  }));
  const all = series.flatMap(({ points }) => points);
  const largest = Math.max(...all.map(({ x }) => x), 0) || 1;
  return {
    x: {
      label: 'Loss each way in %',
      domain: [-0.03 * largest, 1.03 * largest],
      ticks: 6,
      tickText: (percent) => decimalText(percent),
      text: (percent) => `${decimalText(percent)} % loss`,
    },
    y: quantityAxis(
      all.map(({ y, high }) => high ?? y),
      metric,
    ),
    series,
    marks: [lines, symbols],
  };
}

/** Medians of an arm's sessions, for each loss that has sessions. */
function pointsOf(view: RunView, { video, conditions }: LossSweep, arm: string, metric: Metric) {
  return conditions.flatMap((condition) => {
    const found = videosOf(view, condition).find((each) => each.video === video);
    const sessions = found?.sessions.get(arm) ?? [];
    const estimate = medianEstimate(sessions.map((session) => numberOf(session, metric)));
    return estimate ? [{ lossPercent: condition.network.lossPercent, ...estimate }] : [];
  });
}

function foundOf(
  view: RunView,
  { video, conditions }: LossSweep,
  { arm }: ComparedArm,
  metric: Metric,
) {
  return conditions.flatMap(({ network: { lossPercent }, comparisons }) => {
    const comparison = comparisons.find((each) => each.subject === video && each.arm === arm);
    const found =
      metric.name === view.metric.name ? comparison : comparison?.otherMetrics[metric.name];
    return found ? [{ lossPercent, ratio: found.ratio, verdict: found.verdict ?? UNDECIDED }] : [];
  });
}

const UNDECIDED: Verdict = 'undecided';

function sentence(view: RunView, sweep: LossSweep, pair: ComparedArm, metric: Metric): Markup {
  const found = foundOf(view, sweep, pair, metric);
  const verdict = found.at(-1)?.verdict ?? UNDECIDED;
  const isDifferent = (each: Verdict) => each === 'faster' || each === 'slower';
  const first = found.findLastIndex((each) => each.verdict !== verdict) + 1;
  const different = found.filter((each) => isDifferent(each.verdict));
  const nLosses = sweep.conditions.length;
  const compared =
    found.length === nLosses
      ? 'loss measured'
      : `loss compared (${found.length} of ${nLosses} measured)`;
  const start = html`${capitalize(metric.phrase)}: <bdi>${pair.label}</bdi> `;
  const than = html` than <bdi>${pair.baseline.label}</bdi>`;
  if (isDifferent(verdict)) {
    const from = found[first]?.lossPercent ?? 0;
    const where =
      first === 0
        ? `at every ${compared}`
        : from === found.at(-1)?.lossPercent
          ? `at ${decimalText(from)} % loss`
          : `from ${decimalText(from)} % loss on`;
    return html`${start}is <strong>${verdictWord(verdict, metric)}</strong>${than} ${where}.`;
  }
  if (different.length > 0) {
    return html`${start}differs at ${different.map(({ lossPercent }) => `${decimalText(lossPercent)} %`).join(', ')}, but not at the largest ${compared}.`;
  }
  return found.every((each) => each.verdict === 'same')
    ? html`${start}is the same as <bdi>${pair.baseline.label}</bdi> at every ${compared}.`
    : html`${start}is not distinguishable from <bdi>${pair.baseline.label}</bdi> at any ${compared}.`;
}

/** The medians of a stack, or the ratios of two. */
type Line = readonly [name: Markup, atLoss: (percent: number) => Insert];

function lossTable(view: RunView, sweep: LossSweep, shown: readonly Metric[]): Markup {
  return table({
    caption: html`By loss each way, <bdi>${sweep.video}</bdi>, <bdi>${sweep.name}</bdi>: medians, then ratios with their 95 % intervals and verdicts`,
    columns: [
      ['Stack', ([name]) => name],
      ...sweep.conditions.map(
        ({ network: { lossPercent } }): Column<Line> => [
          `${decimalText(lossPercent)} %`,
          ([, atLoss]) => atLoss(lossPercent),
        ],
      ),
    ],
    groups: shown.map((metric) => [
      `${metric.label}${headingUnit(metric.unit)}`,
      [
        ...mediansOf(view, sweep, metric),
        ...(metric.better === null ? [] : ratiosOf(view, sweep, metric)),
      ],
    ]),
  });
}

function mediansOf(view: RunView, sweep: LossSweep, metric: Metric): Line[] {
  return view.arms.map((arm) => {
    const points = pointsOf(view, sweep, arm.arm, metric);
    const atLoss = (percent: number) =>
      points.find(({ lossPercent }) => lossPercent === percent) ?? null;
    return [
      stackLabel(arm),
      (percent) => estimateMarkup(atLoss(percent), (value) => valueText(value, metric.unit)),
    ];
  });
}

function ratiosOf(view: RunView, sweep: LossSweep, metric: Metric): Line[] {
  return view.compared.map((pair) => {
    const found = foundOf(view, sweep, pair, metric);
    return [
      html`<bdi>${pair.label}</bdi> to <bdi>${pair.baseline.label}</bdi>`,
      (percent) => {
        const at = found.find(({ lossPercent }) => lossPercent === percent);
        return (
          at && html`${estimateMarkup(at.ratio, ratioText)}${verdictMarkup(at.verdict, metric)}`
        );
      },
    ];
  });
}
