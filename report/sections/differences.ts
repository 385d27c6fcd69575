import { subjectConditionKey } from '../../records/cell.ts';
import { quantile } from '../../statistics/quantile.ts';
import { differenceChart } from '../charts/difference-chart.ts';
import { figure, legend } from '../page/figure.ts';
import { html, type Markup } from '../page/markup.ts';
import { conditionTitle, siteName } from '../page/name.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { differencesOf, timedPairs } from '../summary/paired-values.ts';
import { conditionName } from '../text/condition.ts';
import { differenceText } from '../text/estimate.ts';
import { counted, decimalText } from '../text/number.ts';
import { type ConditionView, capital, type ReportView } from './view.ts';

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
    const blocks = view.blocks.get(subjectConditionKey({ ...condition, subject })) ?? [];
    const pairs = timedPairs(blocks, metric, arm.arm, baseline.arm);
    const differencesMs = differencesOf(pairs.map(({ values }) => values));
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
      `Strip chart: ${name}, a dot for each of ${counted(subjects.flatMap(({ differencesMs }) => differencesMs).length, 'pair')} of ${several}, a row for each of ${counted(subjects.length, 'site')}, with zero marked. The table below it has their quartiles.`,
    ),
    data: html`<table><caption>Difference in ms, pair by pair: <bdi>${pair}</bdi>, <bdi>${conditionName(condition)}</bdi>. ${capital(better)} in: share of the pairs in which the stack was the ${better} one.${isFailed && ' Failed: one of the two has no time.'}</caption>
<thead><tr><th scope="col" class="text">Site</th><th scope="col">Pairs</th><th scope="col">Least</th><th scope="col">25 %</th><th scope="col">Median</th><th scope="col">75 %</th><th scope="col">Most</th><th scope="col">${capital(better)} in</th></tr></thead>
<tbody>
${subjects.map(
  ({ subject, differencesMs, faster }) =>
    html`<tr><th scope="row">${siteName(view, subject)}</th><td>${differencesMs.length}</td>${SHARES.map((share) => html`<td>${msText(quantile(differencesMs, share))}</td>`)}<td>${faster}</td></tr>
`,
)}</tbody></table>`,
  });
}

/** Where one of the two failed there is no difference. */
function msText(valueMs: number | null): string {
  return valueMs === null || !Number.isFinite(valueMs) ? 'failed' : differenceText(valueMs);
}
