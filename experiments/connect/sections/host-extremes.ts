import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { conditionTitle, html, type Markup, nameOf, scrolling } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { capital } from '../../../kit/text/capital.ts';
import { countText, millisecondsText } from '../../../kit/text/number.ts';
import { differenceText } from '../../../kit/text/value.ts';
import { median } from '../../../statistics/median.ts';
import type { ComparedArm, RunView, ShownArm } from '../../run-view.ts';
import { type Condition, type Connection, countedOf } from './connections.ts';

/** How many stand in a table; in a run of no more the table of all has them. */
const SHOWN = 10;

/** The hosts at both ends: the slowest, and those at which two stacks differ most. */
export const hostExtremes: Section<RunView> = {
  isShown: ({ run, conditions }) => run.subjects.length > SHOWN && conditions.length > 0,
  ...folded('host-extremes', 'Slowest and farthest apart', (view) => {
    const [, several] = view.experiment.subject;
    return {
      title: `${capital(several)} at both ends`,
      about: `the ${SHOWN} slowest of each stack, and the ${SHOWN} at which two differ most`,
      content: html`<p>n: ${view.experiment.attempt[1]} that count; look-up: the median time in ms in which the name was found. These ${several} are chosen because they are extreme: some are so by chance, and would be nearer to the others in another run. A difference is the middle of the pairs of one ${view.experiment.subject[0]} (Hodges and Lehmann), with its 95 % interval where there are 6 or more.</p>
${view.conditions.map(
  (condition) => html`<h3>${conditionTitle(condition)}</h3>
<div class="side-by-side">${view.arms.map((arm) => scrolling(`The slowest, ${arm.label}`, slowestTable(view, condition, arm)))}</div>
<div class="side-by-side">${view.compared.map((arm) => scrolling(`Largest differences, ${arm.label}`, differencesTable(view, condition, arm)))}</div>`,
)}`,
    };
  }),
};

function slowestTable(
  { metric, experiment, counted }: RunView,
  condition: Condition,
  arm: ShownArm,
): Markup {
  const own = countedOf({ counted }, condition).filter((each) => each.arm === arm.arm);
  return html`<table><caption>${stackLabel(arm)}: the slowest by their median ${metric.phrase}, in ms</caption>
<thead><tr><th scope="col" class="text">${capital(experiment.subject[0])}</th><th scope="col">Median</th><th scope="col">n</th><th scope="col">Look-up</th></tr></thead>
<tbody>
${slowest(own, metric.name).map(
  ({ subject, medianMs, n, lookupMs }) =>
    html`<tr><th scope="row">${nameOf(subject)}</th><td class="main">${millisecondsText(medianMs)}</td><td>${countText(n)}</td><td>${millisecondsText(lookupMs)}</td></tr>`,
)}</tbody></table>`;
}

function slowest(connections: readonly Connection[], metric: string) {
  return [...Map.groupBy(connections, ({ subject }) => subject)]
    .flatMap(([subject, own]) => {
      const timesMs = own.flatMap(({ metrics }) => metrics[metric] ?? []);
      const medianMs = median(timesMs);
      const lookupMs = median(own.flatMap(({ details }) => details?.lookupMs ?? []));
      return medianMs === null ? [] : [{ subject, medianMs, n: timesMs.length, lookupMs }];
    })
    .toSorted((a, b) => b.medianMs - a.medianMs)
    .slice(0, SHOWN);
}

function differencesTable(view: RunView, condition: Condition, arm: ComparedArm): Markup {
  const { metric, experiment } = view;
  const compared = condition.comparisons
    .flatMap(({ subject, arm: own, nPairs, difference }) =>
      own === arm.arm && difference !== null ? [{ subject, nPairs, difference }] : [],
    )
    .toSorted((a, b) => a.difference.estimate - b.difference.estimate);
  const ends = [
    { what: 'least', rows: compared.filter(({ difference }) => difference.estimate < 0) },
    {
      what: 'most',
      rows: compared.filter(({ difference }) => difference.estimate > 0).toReversed(),
    },
  ];
  return html`<table><caption>${stackLabel(arm)} less <bdi>${arm.baseline.label}</bdi>, ${metric.phrase} in ms: the ${SHOWN} at either end</caption>
<thead><tr><th scope="col" class="text">${capital(experiment.subject[0])}</th><th scope="col">Difference</th><th scope="col">Pairs</th></tr></thead>
${ends.map(
  ({
    what,
    rows,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="3">It takes ${what === 'least' ? 'less' : 'more'} time${rows.length === 0 && ': at none'}</th></tr>
${rows
  .slice(0, SHOWN)
  .map(
    ({ subject, nPairs, difference }) =>
      html`<tr><th scope="row">${nameOf(subject)}</th><td>${estimateMarkup(difference, (value) => differenceText(value, 'ms'))}</td><td>${countText(nPairs)}</td></tr>`,
  )}</tbody>`,
)}</table>`;
}
