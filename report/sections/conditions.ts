import { responsiveForest } from '../../kit/charts/forest-chart.ts';
import { differenceMarkup, estimateMarkup, verdictMarkup } from '../../kit/page/estimate.ts';
import { html, type Markup, scrollRegion, siteName } from '../../kit/page/markup.ts';
import type { Section } from '../../kit/page/section.ts';
import { table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { keepUnitsTogether, probabilityText, ratioText } from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText } from '../../kit/text/number.ts';
import { headingUnit } from '../../kit/text/value.ts';
import { BETTER_OR_WORSE } from '../../kit/text/verdict.ts';
import type { ConditionChange } from '../summary/condition-change.ts';
import { changeText, labelOfBoth } from '../text/answers.ts';
import { labelOf, type ReportView } from './view.ts';

/** Effects of conditions that differ in one thing on each stack, and whether they are the same for all stacks. */
export const conditions: Section<ReportView> = {
  id: 'conditions',
  title,
  render,
};

/** Phrases for headings; other factors have their own names. */
const DIFFERING: Readonly<Record<string, string>> = {
  visit: 'the visit',
  cpu: 'the processor',
  ipv: 'the IP version',
  player: 'the player',
  browser: 'the browser',
  streams: 'the number of streams',
  udp: 'the treatment of UDP',
  event: 'an event on the path',
  lostPacket: 'one lost packet',
};

function changedBy(differsIn: string): string {
  return `What ${DIFFERING[differsIn] ?? differsIn} changes`;
}

function title({ summary }: ReportView): string {
  const [first, ...further] = new Set(summary.conditionChanges.map((each) => each.differsIn));
  return first !== undefined && further.length === 0 ? changedBy(first) : 'What conditions change';
}

function render(view: ReportView, id: string): Markup {
  const { summary, metric, experiment } = view;
  const [, several] = experiment.attempt;
  const { conditionChanges } = summary;
  const nTests = conditionTests(summary);
  const kinds = Map.groupBy(pairsOf(view), ({ changes }) => changes[0]?.differsIn ?? '');
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title(view)}</h2>
<p>Here each stack is compared with itself, under two conditions that differ in one thing: a ratio below 1 says that its ${metric.phrase} is lower under the
first one named. The ${several} of a pair come from blocks with the same number, made one after the other.${
    conditionChanges.some(({ baseline }) => baseline !== null) &&
    ' Where two stacks are compared, it is what changes for each: the ratio of their ratios, from the same blocks.'
  }</p>
<p class="quiet">These answers are secondary: no look at the run depended on them. Each interval alone has 95 %. <em>${capitalize(metric.words[0])}</em> and <em>${metric.words[1]}</em>
hold after Holm’s correction for the ${countWithNoun(nTests, 'test')} of this section, <em>same</em> says that the whole interval lies within ${decimalText(summary.analysis.marginPercent)} % of equal.</p>
${[...kinds].map(
  ([differsIn, pairs]) => html`${kinds.size > 1 && html`<h3>${changedBy(differsIn)}</h3>`}
<ul class="answers pictured">
${pairs.map(
  (pair, place) =>
    html`<li>${
      place < MOST_OPEN
        ? html`<h3>${headingOf(pair)}</h3>${changeMarkup(view, pair)}`
        : html`<details class="printed"><summary>${headingOf(pair)}${inShort(view, pair)}</summary>
${changeMarkup(view, pair)}</details>`
    }</li>`,
)}</ul>
`,
)}</section>`;
}

interface Pair {
  /** Of single stacks. */
  changes: readonly ConditionChange[];
  /** Of one stack against another. */
  interactions: readonly ConditionChange[];
}

function pairsOf({ summary }: ReportView): Pair[] {
  const pairs = Map.groupBy(summary.conditionChanges, ({ from, to }) => JSON.stringify([from, to]));
  return [...pairs.values()].map((own) => ({
    changes: own.filter(({ baseline }) => baseline === null),
    interactions: own.filter(({ baseline }) => baseline !== null),
  }));
}

/** More than these would hide what follows: they fold away below their headings. */
const MOST_OPEN = 6;

function headingOf({ changes: [first] }: Pair): Markup | null {
  if (!first) return null;
  return html`<span class="name">${capitalize(first.to.text)} against ${first.from.text}</span> <span class="numbers">${first.shared}</span>`;
}

function inShort(view: ReportView, { changes }: Pair): Markup {
  return html`: ${changes.map(
    (each, index) =>
      html`${index > 0 && ', '}<bdi>${nameOf(view, each)}</bdi> ${verdictMarkup(each.verdict, view.metric)}`,
  )}`;
}

/** More sentences than these would hide the next pair: those about two stacks fold away. */
const MOST_INTERACTIONS = 3;

/** A sentence and a row of the picture for each stack, and the numbers of both below. */
function changeMarkup(view: ReportView, { changes, interactions }: Pair): Markup | null {
  const [first] = changes;
  if (!first) return null;
  const name = `${first.to.text} against ${first.from.text}, ${first.shared}`;
  const nTests = conditionTests(view.summary);
  const textOf = (each: ConditionChange) => changeText(each, { ...view.summary, nTests });
  const ofTwo = interactions
    .filter(({ nPairs }) => nPairs > 0)
    .map((each) => html`<p class="counts">${keepUnitsTogether(textOf(each))}</p>`);
  return html`<div class="picture"><div>
${changes.map((each) => html`<p class="sentence">${keepUnitsTogether(textOf(each))}</p>`)}${
  ofTwo.length > MOST_INTERACTIONS
    ? html`<details class="counts printed"><summary>Whether it changes alike for ${countWithNoun(ofTwo.length, 'pair')} of stacks</summary>
${ofTwo}</details>`
    : ofTwo
}
${notesOn(view, changes).map(
  (note) => html`<p class="counts"><strong>${keepUnitsTogether(note)}</strong></p>`,
)}</div>
<figure class="forest">
${chart(view, name, changes)}
<details class="data"><summary>Numbers of this chart</summary>${scrollRegion(`Numbers: ${name}`, numbersTable(view, name, [...changes, ...interactions]))}</details>
</figure></div>`;
}

function nameOf(view: ReportView, change: ConditionChange, arm: string = change.arm): string {
  return labelOfBoth(change, labelOf(view, arm));
}

/** Caveats of the answers, with the stack if they concern only some. */
function notesOn(view: ReportView, changes: readonly ConditionChange[]): string[] {
  const noted = changes.flatMap((change) => change.notes.map((note) => ({ change, note })));
  return [...Map.groupBy(noted, ({ note }) => note)].map(([note, of]) =>
    of.length === changes.length
      ? note
      : `${of.map(({ change }) => nameOf(view, change)).join(', ')}: ${note}`,
  );
}

function conditionTests({ conditionChanges }: ReportView['summary']): number {
  return conditionChanges.filter(({ p }) => p !== null).length;
}

function chart(view: ReportView, name: string, changes: readonly ConditionChange[]): Markup {
  const { metric, summary, experiment } = view;
  return responsiveForest(
    name,
    {
      stackLabel: changes[0]?.to.text ?? '',
      baselineLabel: changes[0]?.from.text ?? '',
      metric,
      sites: experiment.site[1],
      rows: changes.map((each) => ({ ...each, name: nameOf(view, each) })),
      pooled: null,
      marginPercent: summary.analysis.marginPercent,
    },
    `Forest plot: ratio of ${metric.phrases}, ${name}, with a 95 % interval for each of ${countWithNoun(changes.length, 'stack')}. The table below it has the same numbers.`,
    { besides: summary.conditionChanges.map(({ ratio }) => ratio) },
  );
}

/** A row for each change, and below it a row for each of several sites. */
function numbersTable(view: ReportView, name: string, changes: readonly ConditionChange[]): Markup {
  const { metric, experiment } = view;
  const [site, sites] = experiment.site;
  return table({
    caption: html`Ratio of ${metric.phrases}: ${name}. Of two stacks: the ratio of the first one’s ratio to that of the other, and the difference of their differences`,
    columns: [
      [
        'Stack',
        ({ baseline, change }) =>
          html`<bdi>${nameOf(view, change)}</bdi>${baseline !== null && html` against <bdi>${nameOf(view, change, baseline)}</bdi>`}`,
      ],
      [capitalize(site), ({ where }) => where, 'text'],
      ['Pairs', ({ nPairs }) => nPairs],
      ['Ratio', ({ ratio }) => estimateMarkup(ratio, ratioText)],
      [
        `Difference${headingUnit(metric.unit)}`,
        ({ difference }) => differenceMarkup(difference, metric.unit),
      ],
      ['p', ({ answer }) => answer && probabilityText(answer.p)],
      ['p adjusted', ({ answer }) => answer && probabilityText(answer.pHolm)],
      [
        'Verdict',
        ({ answer, baseline }) =>
          answer &&
          verdictMarkup(
            answer.verdict,
            baseline === null ? metric : { ...metric, words: BETTER_OR_WORSE },
          ),
        'text',
      ],
    ],
    items: changes.flatMap((change) => {
      const { baseline, nSites, subjects } = change;
      const ofSites = subjects.map(({ subject, ...numbers }) => ({
        ...{ ...numbers, baseline, change, answer: null, where: siteName(view, subject) },
      }));
      const where =
        nSites === 1
          ? ofSites.map((each) => each.where)
          : `all ${countWithNoun(nSites, site, sites)}`;
      return [{ ...change, change, where, answer: change }, ...(nSites > 1 ? ofSites : [])];
    }),
  });
}
