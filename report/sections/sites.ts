import { drawConditions } from '../../experiments/per-condition.ts';
import type { Metric } from '../../ground/experiment.ts';
import { estimateMarkup, verdictMarkup } from '../../kit/page/estimate.ts';
import { html, type Markup, scrollRegion, siteName } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { type ChartStack, colourNumber, stackLabel } from '../../kit/page/stack.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { differenceText, unitPhrase, valueText } from '../../kit/text/value.ts';
import type { Comparison } from '../summary/comparison.ts';
import type { SummaryRow } from '../summary/rows.ts';
import { rowsBySite } from '../summary/rows.ts';
import { baselineText, type ConditionView, type ReportView } from './view.ts';

/** Times, comparison and verdict of each stack on each site. */
export const sites: Section<ReportView> = defineFoldedSection(
  'sites',
  ({ experiment }) => capitalize(experiment.site[1]),
  (view) => ({
    about: `${view.metric.unit === 'ms' ? 'times' : 'numbers'} and verdicts of ${countWithNoun(view.summary.subjects.length, ...view.experiment.site)} under ${countWithNoun(view.conditions.length, 'condition')}`,
    content: html`<p class="unprinted">Choose a column's heading to sort by it. The name of a ${view.experiment.site[0]} links to the details of its ${view.experiment.attempt[1]}.</p>
${drawConditions(view, (condition, name) => siteTable(view, condition, name))}`,
  }),
);

/** Table of a condition, a row for each site; a script sorts it. */
function siteTable(view: ReportView, condition: ConditionView, name: string): Markup {
  const { arms, compared, metric } = view;
  const [site] = view.experiment.site;
  let column = 0;
  return scrollRegion(
    `${capitalize(view.experiment.site[1])}, ${name}`,
    html`<table class="sortable sites">
<caption>${metric.label} by ${site}${unitPhrase(metric.unit).replace(' ', ', ')}; <bdi>${name}</bdi>. Difference and ratio: against <bdi>${baselineText(view)}</bdi>,
with the 95 % interval below; a ratio below 1 is ${metric.unit === 'ms' ? 'less time' : 'less'}. n: ${view.experiment.attempt[1]} of each stack that count.</caption>
<thead>
<tr>${headingCell(capitalize(site), column++, capitalize(site), 2)}${arms.map(
      (arm) =>
        html`<th colspan="2" scope="colgroup" class="edge head-${colourNumber(arm.place)}">${stackLabel(arm)}</th>`,
    )}${compared.map(
      ({ label, baseline }) =>
        html`<th colspan="3" scope="colgroup" class="edge"><bdi>${label}</bdi> against <bdi>${baseline.label}</bdi></th>`,
    )}${headingCell('n', arms.length * 2 + compared.length * 3 + 1, `number of ${view.experiment.attempt[1]}`, 2)}</tr>
<tr>${arms.map(
      ({ label }) =>
        html`${headingCell('Mean', column++, `mean, ${label}`)}${headingCell('Median', column++, `median, ${label}`)}`,
    )}${compared.map(
      ({ label }) =>
        html`${headingCell('Difference', column++, `difference, ${label}`)}${headingCell('Ratio', column++, `ratio, ${label}`)}${headingCell('Verdict', column++, `verdict, ${label}`)}`,
    )}</tr>
</thead>
<tbody>
${[...rowsBySite(condition.rows)].map(
  ([subject, rows]) =>
    html`<tr><th scope="row" data-key="${subject}"><a href="#${siteId(view, subject)}">${siteName(view, subject)}</a></th>${arms.map(
      ({ arm }) =>
        valueCells(
          rows.find((row) => row.arm === arm),
          metric,
        ),
    )}${compared.map((arm) =>
      comparisonCells(
        condition.comparisons.find((each) => each.subject === subject && each.arm === arm.arm),
        metric,
      ),
    )}${countCell(rows, arms)}</tr>`,
)}</tbody></table>`,
  );
}

/** Anchor of a site's details. */
export function siteId({ run }: Pick<ReportView, 'run'>, name: string): string {
  return `site-${run.subjects.findIndex(({ subject }) => subject === name) + 1}`;
}

function headingCell(text: string, column: number, name: string, rows = 1): Markup {
  const edge = text === 'Mean' || text === 'Difference' || text === 'n' ? 'edge' : '';
  return html`<th scope="col" data-column="${column}" data-name="${name}"${rows > 1 && html` rowspan="${rows}"`} class="${edge}">${text}</th>`;
}

function valueCells(row: SummaryRow | undefined, { name, unit }: Metric): Markup {
  const { mean = null, median = null } = row?.metrics[name] ?? {};
  return html`<td class="edge" data-key="${mean}">${valueText(mean, unit)}</td><td class="main" data-key="${median}">${valueText(median, unit)}</td>`;
}

function comparisonCells(comparison: Comparison | undefined, metric: Metric): Markup {
  if (!comparison)
    return html`<td class="edge" data-key="">–</td><td data-key="">–</td><td data-key="">–</td>`;
  const { difference, ratio, verdict } = comparison;
  return html`<td class="edge" data-key="${difference?.estimate}">${estimateMarkup(difference, (value) => differenceText(value, metric.unit))}</td>
<td data-key="${ratio?.estimate}">${estimateMarkup(ratio, ratioText)}</td><td class="text" data-key="${verdict}">${verdictMarkup(verdict, metric)}</td>`;
}

function countCell(rows: readonly SummaryRow[], arms: readonly ChartStack[]): Markup {
  const counts = arms.map(({ arm }) => rows.find((row) => row.arm === arm)?.n ?? 0);
  const planned = Math.max(0, ...rows.map(({ nPlanned }) => nPlanned));
  const least = Math.min(...counts);
  return html`<td class="edge" data-key="${least}">${least}${least < planned && html`<small>of ${planned}</small>`}</td>`;
}
