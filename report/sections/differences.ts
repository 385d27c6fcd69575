import { subjectConditionKey } from '../../records/cell.ts';
import { quantile } from '../../statistics/quantile.ts';
import { differenceChart } from '../charts/difference-chart.ts';
import { distributionChart } from '../charts/distribution-chart.ts';
import { figure, legend, lineLegend } from '../page/figure.ts';
import { html, type Markup } from '../page/markup.ts';
import { conditionTitle, siteName } from '../page/name.ts';
import { type ChartStack, stackColour, stackLabel } from '../page/stack.ts';
import { differencesOf, timedPairs, type ValuePair } from '../summary/paired-values.ts';
import { capital } from '../text/capital.ts';
import { conditionName } from '../text/condition.ts';
import { differenceText } from '../text/estimate.ts';
import { counted, countText, decimalText } from '../text/number.ts';
import type { ConditionView, ReportView } from './view.ts';

const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** The differences in ms of two stacks under one condition, pair by pair, with zero marked. */
export function differenceFigure(
  view: ReportView,
  condition: ConditionView,
  arm: ChartStack,
): Markup | null {
  const { baseline, metric, run } = view;
  const [better] = metric.words;
  const [, several] = view.experiment.attempt;
  const subjects = run.subjects.flatMap(({ subject }) => {
    const differencesMs = differencesOf(pairsIn(view, condition, arm, subject));
    const found = condition.comparisons.find(
      (each) => each.subject === subject && each.arm === arm.arm,
    );
    const percent = found?.lowerInPercent ?? null;
    const faster = percent === null ? '–' : `${decimalText(percent, 0)} %`;
    return differencesMs.length > 0 ? [{ subject, differencesMs, faster }] : [];
  });
  if (subjects.length === 0) return null;
  const isFailed = subjects.some(({ differencesMs }) => !differencesMs.every(Number.isFinite));
  const pair = `${arm.label} against ${baseline.label}`;
  const name = `differences of ${metric.phrases}, ${pair}, ${conditionName(condition)}`;
  return figure({
    name,
    caption: html`<h4>${pair}<span class="numbers">, </span>${conditionTitle(condition)}</h4>`,
    legend: legend([
      html`<span class="sign stack-${(arm.place % 6) + 1}" aria-hidden="true">●</span>a pair of ${several}`,
      ...(isFailed
        ? [html`<span class="sign" aria-hidden="true">×</span>one of the two failed`]
        : []),
      html`<span class="sign" aria-hidden="true">❙</span>median`,
    ]),
    chart: differenceChart(
      subjects.map(({ subject, differencesMs, faster }) => ({
        name: subject,
        differencesMs,
        text: `median ${msText(quantile(differencesMs, 0.5))} ms, ${better} in ${faster}`,
      })),
      stackColour(arm),
      `Strip chart: ${name}, a dot for each of ${counted(subjects.flatMap(({ differencesMs }) => differencesMs).length, 'pair')} of ${several}, a row for each of ${counted(subjects.length, ...view.experiment.site)}, with zero marked. The table below it has their quartiles.`,
    ),
    data: html`<table><caption>Difference in ms, pair by pair: <bdi>${pair}</bdi>, <bdi>${conditionName(condition)}</bdi>. ${capital(better)} in: share of the pairs in which the stack was the ${better} one.${isFailed && ' Failed: one of the two has no time.'}</caption>
<thead><tr><th scope="col" class="text">${capital(view.experiment.site[0])}</th><th scope="col">Pairs</th><th scope="col">Least</th><th scope="col">25 %</th><th scope="col">Median</th><th scope="col">75 %</th><th scope="col">Most</th><th scope="col">${capital(better)} in</th></tr></thead>
<tbody>
${subjects.map(
  ({ subject, differencesMs, faster }) =>
    html`<tr><th scope="row">${siteName(view, subject)}</th><td>${differencesMs.length}</td>${SHARES.map((share) => html`<td>${msText(quantile(differencesMs, share))}</td>`)}<td>${faster}</td></tr>
`,
)}</tbody></table>`,
  });
}

/** Leads that published comparisons of connections counted. */
const LEADS_MS = [10, 20];

/** The share of all pairs of a condition that have at most a difference, a line for each stack, with zero marked. */
export function differenceDistribution(view: ReportView, condition: ConditionView): Markup | null {
  const { baseline, metric, run, compared } = view;
  const [better] = metric.words;
  const [, several] = view.experiment.attempt;
  const samples = compared.map((arm) => ({
    arm,
    // Two failures are a tie for a test, but no difference of so many ms.
    timesMs: differencesOf(
      run.subjects
        .flatMap(({ subject }) => pairsIn(view, condition, arm, subject))
        .filter((values) => values.some(Number.isFinite)),
    ),
  }));
  if (samples.every(({ timesMs }) => timesMs.length === 0)) return null;
  const name = `distribution of differences, ${conditionName(condition)}`;
  const share = (timesMs: readonly number[], isMeant: (differenceMs: number) => boolean) =>
    timesMs.length === 0
      ? '–'
      : `${decimalText((100 * timesMs.filter(isMeant).length) / timesMs.length, 1)} %`;
  return figure({
    name,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    legend: lineLegend(compared),
    chart: distributionChart(
      samples,
      `Line chart: share of the pairs of ${several} whose difference to ${baseline.label} is at most so many ms, a line for each of ${counted(compared.length, 'stack')}, ${conditionName(condition)}, with zero marked. The table below it has some of its points.`,
      { measured: 'Difference of a pair', attempts: 'pairs', signed: true },
    ),
    data: html`<table><caption>Pairs of ${several} of one block, all together, <bdi>${conditionName(condition)}</bdi>: by how much each stack's ${metric.phrase} was less than that of <bdi>${baseline.label}</bdi>. Pairs of which both failed are left out</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col">Pairs</th><th scope="col">Median difference, ms</th><th scope="col">${capital(better)}</th>${LEADS_MS.map((leadMs) => html`<th scope="col">By ${leadMs} ms or more</th>`)}<th scope="col">One failed</th></tr></thead>
<tbody>
${samples.map(
  ({ arm, timesMs }) =>
    html`<tr><th scope="row">${stackLabel(arm)}</th><td>${countText(timesMs.length)}</td><td>${timesMs.length === 0 ? '–' : msText(quantile(timesMs, 0.5))}</td><td>${share(timesMs, (each) => each < 0)}</td>${LEADS_MS.map((leadMs) => html`<td>${share(timesMs, (each) => each <= -leadMs)}</td>`)}<td>${countText(timesMs.filter((each) => !Number.isFinite(each)).length)}</td></tr>
`,
)}</tbody></table>`,
  });
}

/** The pairs of one subject. */
function pairsIn(
  { blocks, metric, baseline }: ReportView,
  condition: ConditionView,
  { arm }: ChartStack,
  subject: string,
): ValuePair[] {
  const own = blocks.get(subjectConditionKey({ ...condition, subject })) ?? [];
  return timedPairs(own, metric, arm, baseline.arm).map(({ values }) => values);
}

/** Where one of the two failed there is no difference. */
function msText(valueMs: number | null): string {
  return valueMs === null || !Number.isFinite(valueMs) ? 'failed' : differenceText(valueMs);
}
