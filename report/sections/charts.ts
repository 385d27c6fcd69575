import { conditionName } from '../../experiments/condition.ts';
import { numberOf, worsening } from '../../ground/experiment.ts';
import { cellKey, subjectConditionKey } from '../../ground/records/cell.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import { type AxisText, logAxis, ratioAxis } from '../../kit/charts/axis.ts';
import { barChart } from '../../kit/charts/bar-chart.ts';
import { type OrderedLoad, orderChart, type Stretch } from '../../kit/charts/order-chart.ts';
import { plotFigure } from '../../kit/charts/plot-figure.ts';
import { type Point, scatter, type XyChart } from '../../kit/charts/xy-chart.ts';
import { figure, legend } from '../../kit/page/figure.ts';
import { conditionTitle, html, type Markup, nameOf, siteName } from '../../kit/page/markup.ts';
import { foldedPart, type Section } from '../../kit/page/section.ts';
import { type ChartStack, stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import {
  bytesText,
  countText,
  countWithNoun,
  decimalText,
  millisecondsText,
  sizeText,
} from '../../kit/text/number.ts';
import { unitPhrase, valueText } from '../../kit/text/value.ts';
import { summaryOf } from '../summary/metrics.ts';
import { differenceDistribution, differenceFigure, siteDifferences } from './differences.ts';
import {
  distributionFigure,
  failuresText,
  hasFailures,
  otherDistributions,
} from './distributions.ts';
import {
  attemptsText,
  baselineText,
  type ConditionView,
  hasFewSubjects,
  labelledPairs,
  type ReportView,
} from './view.ts';

/** With more conditions, the charts of single sites' sizes stay folded. */
const FEW_CONDITIONS = 2;

/** Fewer bars add nothing to their numbers. */
const FEWEST_BARS = 3;

/** Charts over all sites, by kind, each with how to read it. */
export const charts: Section<ReportView> = {
  id: 'charts',
  title: 'Charts',
  isShown: ({ conditions }) => conditions.length > 0,
  render,
};

function render(view: ReportView, id: string): Markup {
  const { conditions, compared, metric, ofPages } = view;
  const [one, several] = view.experiment.attempt;
  const [site, sites] = view.experiment.site;
  const [better] = metric.words;
  const isTime = metric.unit === 'ms';
  const isLessBetter = worsening(1, metric) > 0;
  const isFew = hasFewSubjects(view);
  const further = conditions.flatMap((condition) => otherDistributions(view, condition) ?? []);
  return html`<section class="folds" aria-labelledby="${id}">
<h2 id="${id}">Charts</h2>
${
  isFew &&
  foldedPart({
    title: `Mean ${metric.phrase}, ${site} by ${site}`,
    about: 'bars from zero',
    content: html`<p>A bar is the mean of the ${several} of one ${site} on one stack, from zero: ${isLessBetter ? 'shorter' : 'longer'} is ${better}.${
      ofPages &&
      ` This is the kind of chart in which a
comparison was published in 2018; ${
        metric.name === 'pageLoadMs'
          ? `its times were mostly those of the HTML document alone, so its
numbers cannot be compared with these.`
          : 'its times were of this metric, too.'
      }`
    } Each chart has an axis of its own.</p>
${conditions.map((condition) => barFigure(view, condition))}`,
  })
}${
  isFew &&
  compared.length > 0 &&
  foldedPart({
    title: isTime
      ? `Milliseconds saved or lost, ${site} by ${site}`
      : `Differences, ${site} by ${site}`,
    about: `bars to either side of zero, from ${metric.words.join(' to ')}`,
    content: html`<p>A bar is one ${site}: how ${isTime ? 'many ms' : 'much'} less (left of zero) or more ${isTime ? 'the stack took' : `the ${metric.phrase} of the stack was`} than ${!isTime && 'that of '}${nameOf(baselineText(view))}, as the Hodges-Lehmann estimate
over its pairs; the line is the 95 % interval. Verdicts rest on ratios and are corrected for all tests of the run, so an interval on one side of zero can be undecided.
An arrow means that the interval goes on; a dash, that too many ${several} failed for a difference. Each chart has an axis of its own.</p>
${conditions.map((condition) => compared.map((arm) => siteDifferences(view, condition, arm)))}`,
  })
}${
  compared.length > 0 &&
  foldedPart({
    title: 'Differences, pair by pair',
    about: isTime
      ? 'milliseconds saved or lost, with zero marked'
      : 'how much more or less, with zero marked',
    content: html`<p>A pair is two ${several} of the same block: ${isTime ? 'how many ms the stack took' : `how much the ${metric.phrase} of the stack was`} less (left of zero) or more than${!isTime && ' that of'} ${nameOf(baselineText(view))}.
The lines have all pairs together: at a difference on the axis below, a line's height is the share of the pairs that had that difference or one further to the left.</p>
${conditions.map((condition) => differenceDistribution(view, condition))}
${
  isFew &&
  html`<p>Below a dot is a pair. In a row the pairs lie in the order made, from top to bottom; the rule across them is their median. Dots at the very ends of an axis may lie
beyond it: it excludes the outermost 1 % on either side. Each chart has an axis of its own.</p>
${conditions.map((condition) => compared.map((arm) => differenceFigure(view, condition, arm)))}`
}`,
  })
}${foldedPart({
  title: `How ${metric.phrases} are spread`,
  about: isTime
    ? `the share of ${several} done by a time`
    : `the share of ${several} up to a value`,
  content: html`<p>Each line rises from 0 to 100 % of a stack's ${several}: at a ${isTime ? 'time' : 'value'} on the axis below, its height is the share of the ${several}
that ${isTime ? 'took no longer' : 'had no more'}. A line further to the ${isLessBetter ? 'left' : 'right'} is ${better}; a steep line is steady. All ${sites} are put together here, so steps come
from differences between ${sites} as well${isFew && `; each ${site} has a chart of its own below`}.${failuresText(view)}</p>
${conditions.map((condition) => distributionFigure(view, condition))}`,
})}${
  further.length > 0 &&
  foldedPart({
    title: 'How other metrics are spread',
    about: `the same lines for every other metric`,
    content: html`<p>Exploratory: each chart shows one metric on its own axis. A metric that was the same in all ${several} has no chart; its number is in the table.${
      hasFailures(view) && ` The table shows which metrics count failed ${several}.`
    }
${isFew && html`<code>npm run report -- DIR --metric NAME</code> makes all charts for another metric, if it has a better direction.`}</p>
${further}`,
  })
}${
  ofPages &&
  !isLiveRun(view.run) &&
  foldedPart({
    title: 'Size of the page',
    about: 'times and ratios by number of objects and bytes',
    content: html`<p>Each sign is a site. Above: what a page${metric.name === 'documentMs' && '’s document'} took, by the number of its objects and by its size. Below: the ratio to
${nameOf(baselineText(view))} by the same. If many small objects made a stack slow, its signs below would rise to the right.</p>
${conditions.map((condition) => sizeFigures(view, condition))}`,
  })
}${foldedPart({
  title: `Every ${one} in the order run`,
  about: 'whether the machine drifted',
  content: html`<p>A dot is one ${one}; its height is its ${isTime ? 'time' : metric.phrase} as a multiple of the median of ${several} like it (same ${site}, stack and condition),
so that all ${sites} share one scale. Dots that rise or fall together over a stretch mean that the machine changed meanwhile.
Stripes in the background are ${sites} or networks taking turns.</p>
${orderFigure(view)}`,
})}</section>`;
}

function barFigure(view: ReportView, condition: ConditionView): Markup {
  const { arms, metric } = view;
  const name = `mean ${metric.phrase}, ${conditionName(condition)}`;
  const bars = condition.rows.map(({ subject, arm, metrics }) => ({
    subject,
    arm,
    mean: metrics[metric.name]?.mean ?? null,
  }));
  const sites = new Set(bars.map(({ subject }) => subject));
  const label = `Bar chart of the mean ${metric.phrase} of ${countWithNoun(sites.size, ...view.experiment.site)} on ${countWithNoun(arms.length, 'stack')}, ${conditionName(condition)} (${condition.text}). The table below it has the same numbers.`;
  return figure({
    name,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    legend: bars.length >= FEWEST_BARS && legend(arms.map(stackLabel)),
    chart: bars.length >= FEWEST_BARS && barChart(bars, arms, label, metric),
    data: table({
      caption: html`Mean ${metric.phrase}${unitPhrase(metric.unit)}, <bdi>${conditionName(condition)}</bdi>`,
      columns: [
        [capitalize(view.experiment.site[0]), (site) => siteName(view, site)],
        ...arms.map(
          ({ arm, label: of }): Column<string> => [
            html`<bdi>${of}</bdi>`,
            (site) =>
              valueText(
                bars.find((bar) => bar.subject === site && bar.arm === arm)?.mean,
                metric.unit,
              ),
          ],
        ),
      ],
      items: [...sites],
    }),
  });
}

const SIZES: Readonly<Record<'objects' | 'bytes', AxisText>> = {
  objects: {
    label: 'Objects of the page',
    text: (count) => `${decimalText(count)} objects`,
    tickText: (count) => decimalText(count),
  },
  bytes: {
    label: 'Size of the page',
    column: 'Size of the page in bytes',
    text: bytesText,
    tickText: sizeText,
  },
};

const SIZE_KINDS = ['objects', 'bytes'] as const;

function sizeFigures(view: ReportView, condition: ConditionView): Markup {
  const facts = new Map(view.summary.subjects.map((subject) => [subject.subject, subject]));
  const name = conditionName(condition);
  const panel = (
    size: (typeof SIZE_KINDS)[number],
    arms: readonly ChartStack[],
    numberIn: (arm: string, subject: string) => number | null | undefined,
    axisOf: (values: number[]) => XyChart['y'],
  ): XyChart => {
    const series = arms.map((arm) => ({
      arm,
      points: view.run.subjects.flatMap(({ subject }): (Point & { y: number })[] => {
        const { resources, wireBytes } = facts.get(subject) ?? {};
        const x = (size === 'objects' ? resources : wireBytes) ?? 0;
        const y = numberIn(arm.arm, subject) ?? 0;
        return x > 0 && y > 0 ? [{ name: subject, x, y }] : [];
      }),
    }));
    const all = series.flatMap(({ points }) => points);
    return {
      x: logAxis(
        all.map(({ x }) => x),
        SIZES[size],
      ),
      y: axisOf(all.map(({ y }) => y)),
      series,
      marks: [scatter],
    };
  };
  const ofSubject = <T extends { subject: string; arm: string }>(
    all: readonly T[],
    subject: string,
    arm: string,
  ) => all.find((each) => each.subject === subject && each.arm === arm);
  const medians = SIZE_KINDS.map((size) =>
    panel(
      size,
      view.arms,
      (arm, subject) => ofSubject(condition.rows, subject, arm)?.metrics[view.metric.name]?.median,
      (values) =>
        logAxis(values, {
          label: `Median ${view.metric.phrase} in ms`,
          text: (valueMs) => `${millisecondsText(valueMs)} ms`,
          tickText: (valueMs) => decimalText(valueMs),
        }),
    ),
  );
  const ratios = SIZE_KINDS.map((size) =>
    panel(
      size,
      labelledPairs(view),
      (arm, subject) => ofSubject(condition.comparisons, subject, arm)?.ratio?.estimate,
      (values) =>
        ratioAxis(
          values.map((estimate) => ({ estimate, low: null, high: null })),
          view.summary.analysis.marginPercent,
          { label: 'Ratio of the two', farthest: Number.POSITIVE_INFINITY },
        ),
    ),
  );
  const whole = plotFigure({
    name: `${view.metric.phrase} by size of the page, ${name}`,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    panels: [...medians, ...(view.compared.length > 0 ? ratios : [])],
    nameIn: (subject) => siteName(view, subject),
  });
  if (view.conditions.length <= FEW_CONDITIONS) return whole;
  return html`<details><summary>${conditionTitle(condition)}</summary>${whole}</details>`;
}

const STATES: readonly (readonly [
  state: OrderedLoad['state'],
  sign: string,
  meaning: string,
  heading: string,
])[] = [
  ['counted', '●', 'counts', 'Count'],
  ['disturbed', '◉', 'counts, machine disturbed', 'Count, disturbed'],
  ['left-out', '○', 'ok but excluded: made on several machines, or twice', 'Ok, excluded'],
  ['not-ok', '×', 'failed or invalid', 'Failed or invalid'],
];

function orderFigure(view: ReportView): Markup {
  const isTime = view.metric.unit === 'ms';
  const [one, several] = view.experiment.attempt;
  const [site] = view.experiment.site;
  const medians = new Map(
    view.summary.rows.map((row) => [cellKey(row), summaryOf(row, view.metric).median]),
  );
  const made = view.conditions.flatMap(({ loads }) => loads).toSorted((a, b) => a.order - b.order);
  const stretches: (Stretch & { key: string })[] = [];
  const ordered = made.map((load): OrderedLoad => {
    const key = subjectConditionKey(load);
    const last = stretches.at(-1);
    if (last?.key === key) last.last = load.order;
    else stretches.push({ key, first: load.order, last: load.order });
    const median = medians.get(cellKey(load)) ?? null;
    const value = numberOf(load, view.metric);
    return {
      order: load.order,
      arm: load.arm,
      ratioToMedian: load.outcome === 'ok' && value !== null && median ? value / median : null,
      state: stateOf(view, load),
    };
  });
  // Loads of the control lie in between; their dots have panels of their own.
  const arms = view.run.arms.map(({ arm, label }, place) => ({ arm, label, place }));
  const count = (state: OrderedLoad['state'], stack?: string) =>
    ordered.filter((load) => load.state === state && load.arm === (stack ?? load.arm)).length;
  return figure({
    name: `every ${one} in the order run`,
    caption: html`<h4>All conditions</h4>`,
    legend: legend(
      STATES.map(
        ([state, sign, meaning]) =>
          html`<span class="sign" aria-hidden="true">${sign}</span>${meaning} (${countText(count(state))})`,
      ),
    ),
    chart: orderChart(
      ordered,
      stretches,
      arms,
      `Dot chart of ${attemptsText(view, ordered.length)} in the order run, a panel for each of ${countWithNoun(arms.length, 'stack')}: ${view.metric.phrase} as a multiple of the median of ${several} like it. The numbers are in the lists of ${several} below, ${site} by ${site}.`,
      { measured: isTime ? 'Time' : view.metric.label, attempts: several, site },
    ),
    data: table({
      caption: `${capitalize(several)} by outcome; each one's ${isTime ? 'time' : view.metric.phrase} is in the lists of its ${site}, below`,
      columns: [
        ['Stack', ({ label }) => html`<bdi>${label}</bdi>`],
        ...STATES.map(
          ([state, , , heading]): Column<ChartStack> => [heading, ({ arm }) => count(state, arm)],
        ),
      ],
      items: arms,
    }),
  });
}

function stateOf(
  { counted: ids }: ReportView,
  load: ConditionView['loads'][number],
): OrderedLoad['state'] {
  if (load.outcome !== 'ok') return 'not-ok';
  if (!ids.has(load.id)) return 'left-out';
  return load.disturbed === null ? 'counted' : 'disturbed';
}
