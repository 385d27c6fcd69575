import { limitKbps, PATH_DIRECTIONS } from '../../ground/records/network.ts';
import { differenceAxis } from '../../kit/charts/axis.ts';
import { estimateFields, INTERVAL_COLUMNS } from '../../kit/charts/canvas.ts';
import { differenceDomainOf } from '../../kit/charts/diverging-chart.ts';
import { barMarks, intervalMarks, type RowMark, rowChart } from '../../kit/charts/row-chart.ts';
import { differenceMarkup } from '../../kit/page/estimate.ts';
import {
  conditionTitle,
  html,
  type Markup,
  scrollRegion,
  siteName,
} from '../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../kit/page/section.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { estimateText, keepUnitsTogether, withSign } from '../../kit/text/estimate.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { headingUnit, shortAxisText } from '../../kit/text/value.ts';
import { labelOf, type ReportView } from '../sections/view.ts';
import type { ExplainedPart, ExplanationResult } from './schema.ts';

/** The parts of each gain. */
export const explanation: Section<ReportView> = defineOpenSection(
  'explanation',
  'What each gain is made of',
  (view) => {
    const { summary, metric } = view;
    const found = summary.explanations ?? [];
    return {
      content: html`<p>Further arms in the same blocks removed one difference between two stacks after the other. A part is what the ${metric.phrase} of the
compared stack loses of its gain by a change, after the changes above it; <em>alone</em>, by this change without them, and <em>interaction</em> is the
difference of these two; <em>at the other stack</em>, if the other one is changed instead. All parts and the rest add up to the gain. A negative part costs the
compared stack time. The last row is the gain without the parts of servers, settings and client: those of the protocol and the unexplained rest.</p>
<p><em>Whose</em> says what a part belongs to: the protocol; this server, so that another one over the same protocol has another part; a setting, which can be
had with either protocol; or the client.</p>
<p class="quiet">The intervals of the parts and of the rest hold together in 95 % of runs; every other interval, such as that of the gain, holds alone. Loads that failed are not divided.</p>
${[...Map.groupBy(found, keyOf).values()].map((results) => groupMarkup(view, results))}`,
    };
  },
);

function keyOf({ network, variant, arm, baseline }: ExplanationResult): string {
  return JSON.stringify([network, variant, arm, baseline]);
}

/** One pair under one condition: all pages, and each page. */
function groupMarkup(view: ReportView, results: readonly ExplanationResult[]): Markup {
  const [first, ...pages] = results;
  if (!first) return html``;
  const condition = view.conditions.find(
    ({ network, variant }) => network.name === first.network && variant === first.variant,
  );
  return html`<h3><bdi>${labelOf(view, first.arm)}</bdi> against <bdi>${labelOf(view, first.baseline)}</bdi>, ${condition ? conditionTitle(condition) : first.network}</h3>
${resultMarkup(view, first)}
${pages.map(
  (
    page,
  ) => html`<details class="printed"><summary>${siteName(view, page.subject ?? '')}: ${keepUnitsTogether(page.sentence)}</summary>
${resultMarkup(view, page)}</details>
`,
)}`;
}

interface Row
  extends Partial<
      Pick<ExplainedPart, 'alone' | 'interaction' | 'reverse' | 'missing' | 'owner' | 'contains'>
    >,
    Pick<ExplainedPart, 'label' | 'part'> {
  nBlocks?: number;
}

function resultMarkup(view: ReportView, result: ExplanationResult): Markup {
  const { metric, experiment } = view;
  const {
    nBlocks,
    whole,
    parts,
    residual,
    protocolAndResidual,
    alternatives,
    unchanged,
    notCounted,
  } = result;
  const unit = headingUnit(metric.unit);
  const text = (estimate: ExplainedPart['part'] | undefined) =>
    differenceMarkup(estimate, metric.unit);
  const rows: Row[] = [
    { label: 'The whole gain', part: whole, nBlocks },
    ...parts,
    { label: 'Unexplained', part: residual },
    ...(protocolAndResidual
      ? [{ label: 'The protocol and unexplained', part: protocolAndResidual }]
      : []),
  ];
  const where = `${labelOf(view, result.arm)} against ${labelOf(view, result.baseline)}, ${result.network}, ${result.subject ?? 'all pages'}`;
  return html`<p>${keepUnitsTogether(result.sentence)}</p>
${table({
  label: `Parts of the gain: ${where}`,
  caption: `The gain and its parts, with intervals: ${where}`,
  columns: [
    [
      'Difference removed',
      ({ label, contains = [] }) => [...contains, label].join(', together with '),
      'text',
    ],
    ['Whose', ({ owner }) => (owner === undefined ? '' : OWNERS[owner]), 'text'],
    [
      `Part${unit}`,
      ({ part, missing }) => (missing === undefined ? text(part) : html`<small>${missing}</small>`),
    ],
    [`Alone${unit}`, ({ alone }) => text(alone)],
    [`Interaction${unit}`, ({ interaction }) => text(interaction)],
    [`At the other stack${unit}`, ({ reverse }) => text(reverse)],
    ['Blocks', ({ nBlocks }) => nBlocks ?? ''],
  ],
  items: rows,
})}
${partsChart(view, rows, where)}
${
  parts.length > 0 &&
  html`<ol>${parts.map(({ label, change, reverseReason }) => html`<li>${label}: ${change}${reverseReason !== undefined && ` At the other stack: not possible, for ${reverseReason}.`}</li>`)}</ol>`
}
${
  alternatives.length > 0 &&
  table({
    label: `Other settings: ${where}`,
    caption: `The gain under other settings, which are no part of the sum: ${where}`,
    columns: [
      ['Setting', ({ label }) => label, 'text'],
      [`Gain${unit}`, ({ gain }) => text(gain)],
      [`Change of the gain${unit}`, ({ effect }) => text(effect)],
      [capitalize(experiment.subject[1]), ({ nPages }) => nPages],
      ['Blocks', ({ nBlocks: blocks }) => blocks],
    ],
    items: alternatives.filter(({ nPages }) => nPages > 0),
  })
}
${
  notCounted.length > 0 &&
  html`<p>Not divided: ${notCounted.map(({ label, code, nLoads }) => `${countWithNoun(nLoads, ...experiment.attempt)} of ${label} (${code})`).join(', ')}.</p>`
}
${networkNotes(view, result).map((note) => html`<p class="quiet">${note}</p>`)}
${
  unchanged.length > 0 &&
  html`<ul>${unchanged.map(
    ({ label, isEqual, reason }) =>
      html`<li>${label}: ${isEqual ? 'equal' : html`<strong>unknown</strong>`}. ${reason}</li>`,
  )}</ul>`
}
${
  alternatives.some(({ nPages }) => nPages === 0) &&
  html`<p class="quiet">Not measured here: ${alternatives
    .filter(({ nPages }) => nPages === 0)
    .map(({ label }) => label)
    .join(
      ', ',
    )} (${countWithNoun(1, ...experiment.subject)} of one host, or every ${experiment.attempt[0]} failed).</p>`
}`;
}

const OWNERS: Readonly<Record<ExplainedPart['owner'], string>> = {
  protocol: 'the protocol',
  server: 'this server',
  setting: 'a setting',
  client: 'the client',
};

/** What a network does to the changes of the path, as sentences. */
function networkNotes({ conditions }: ReportView, result: ExplanationResult): string[] {
  const network = conditions.find((each) => each.network.name === result.network)?.network;
  if (!network) return [];
  const isLimited = PATH_DIRECTIONS.some((direction) => limitKbps(network, direction) !== null);
  const loses = network.lossPercent > 0 || network.burstLoss !== null;
  return sentences(
    network.rttMs === 0 &&
      'Without added delay a held round trip and a window change nothing: their parts show the noise.',
    isLimited &&
      'On this limited link a round trip also waits in the queue, which a held round trip does not contain: the part of the handshake is too small.',
    loses &&
      'A lost packet ends the change of the window’s growth, and a lost first packet costs a second by TCP: both are in the unexplained rest.',
  );
}

/** Bars of the gain, its parts and the rest, with their intervals. */
function partsChart({ metric }: ReportView, rows: readonly Row[], where: string): Markup | false {
  const named = rows.map(({ label, part }) => ({ name: label, part }));
  const marks = named.flatMap(({ part }, place): RowMark[] =>
    part ? [{ place, estimate: part, colour: PART_COLOUR, fillOpacity: 0.4 }] : [],
  );
  if (marks.length === 0) return false;
  const { x, unit } = differenceAxis(
    differenceDomainOf(marks.map(({ estimate }) => estimate)),
    metric.unit,
  );
  const text = (value: number) => withSign(value, (size) => shortAxisText(size, metric.unit, unit));
  return scrollRegion(
    `Chart: parts of the gain, ${where}`,
    rowChart(
      {
        rows: named,
        rowPx: 26,
        x,
        columns: [{ text: ({ part }) => estimateText(part, text) ?? '–' }],
      },
      [barMarks(marks), ...intervalMarks(marks, x.domain)],
      `Bar chart: the gain, its parts and the unexplained rest, with intervals, ${where}. The table above it has the same numbers.`,
      {
        columns: ['Name', `Part${headingUnit(metric.unit)}`, ...INTERVAL_COLUMNS],
        rows: () => named.map(({ name, part }) => [name, ...estimateFields(part)]),
      },
    ),
  );
}

const PART_COLOUR = 'var(--stack-1)';
