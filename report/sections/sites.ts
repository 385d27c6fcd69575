import { drawConditions } from '../../experiments/per-condition.ts';
import { differenceMarkup, ratioColumn, verdictColumn } from '../../kit/page/estimate.ts';
import { html, type Markup, siteName } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, type Columns, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { unitPhrase, valueText } from '../../kit/text/value.ts';
import { rowsBySite, type SummaryRow } from '../summary/rows.ts';
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

interface Site {
  subject: string;
  rows: readonly SummaryRow[];
}

/** Table of a condition, a row for each site; a script sorts it. */
function siteTable(view: ReportView, condition: ConditionView, name: string): Markup {
  const { arms, compared, metric } = view;
  const { unit } = metric;
  const [site, several] = view.experiment.site;
  const [, attempts] = view.experiment.attempt;
  const heading = capitalize(site);
  return table({
    label: `${capitalize(several)}, ${name}`,
    class: 'sortable sites',
    caption: html`${metric.label} by ${site}${unitPhrase(unit).replace(' ', ', ')}; <bdi>${name}</bdi>. Difference and ratio: against <bdi>${baselineText(view)}</bdi>,
with the 95 % interval below; a ratio below 1 is ${unit === 'ms' ? 'less time' : 'less'}. n: ${attempts} of each stack that count.`,
    columns: [
      [
        heading,
        ({ subject }) => html`<a href="#${siteId(view, subject)}">${siteName(view, subject)}</a>`,
        '',
        [heading, ({ subject }) => subject],
      ],
      ...arms.map((stack): Columns<Site> => {
        const column = (statistic: 'mean' | 'median', classes: string): Column<Site> => {
          const of = ({ rows }: Site) =>
            rows.find(({ arm }) => arm === stack.arm)?.metrics[metric.name]?.[statistic];
          const name = `${statistic}, ${stack.label}`;
          return [capitalize(statistic), (row) => valueText(of(row), unit), classes, [name, of]];
        };
        return {
          over: stackLabel(stack),
          columns: [column('mean', 'edge'), column('median', 'main')],
        };
      }),
      ...compared.map(({ arm, label, baseline }): Columns<Site> => {
        const of = ({ subject }: Site) =>
          condition.comparisons.find((each) => each.subject === subject && each.arm === arm);
        return {
          over: html`<bdi>${label}</bdi> against <bdi>${baseline.label}</bdi>`,
          columns: [
            [
              'Difference',
              (row) => differenceMarkup(of(row)?.difference, unit),
              'edge',
              [`difference, ${label}`, (row) => of(row)?.difference?.estimate],
            ],
            ratioColumn(`ratio, ${label}`, (row) => of(row)?.ratio),
            verdictColumn(`verdict, ${label}`, (row) => of(row)?.verdict, metric),
          ],
        };
      }),
      [
        'n',
        ({ n, nPlanned }) => html`${n}${n < nPlanned && html`<small>of ${nPlanned}</small>`}`,
        'edge',
        [`number of ${attempts}`, ({ n }) => n],
      ],
    ],
    items: [...rowsBySite(condition.rows)].map(([subject, rows]) => ({
      subject,
      rows,
      n: Math.min(...arms.map(({ arm }) => rows.find((row) => row.arm === arm)?.n ?? 0)),
      nPlanned: Math.max(0, ...rows.map(({ nPlanned }) => nPlanned)),
    })),
  });
}

/** Anchor of a site's details. */
export function siteId({ run }: Pick<ReportView, 'run'>, name: string): string {
  return `site-${run.subjects.findIndex(({ subject }) => subject === name) + 1}`;
}
