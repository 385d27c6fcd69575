import { differenceMarkup } from '../../../kit/page/estimate.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Group, table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText, millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions } from '../../per-condition.ts';
import type { ComparedArm, RunView, ShownArm } from '../../run-view.ts';
import { type Condition, type Connection, countedOf } from './connections.ts';

/** Rows per table; with no more hosts than this, the section is hidden. */
const SHOWN = 10;

/** The slowest hosts, and those at which two stacks differ most. */
export const hostExtremes: Section<RunView> = {
  isShown: ({ run, conditions }) => run.subjects.length > SHOWN && conditions.length > 0,
  ...defineFoldedSection('host-extremes', 'Slowest and farthest apart', (view) => {
    const [, several] = view.experiment.subject;
    return {
      title: `${capitalize(several)} at both ends`,
      about: `the ${SHOWN} slowest of each stack, and the ${SHOWN} at which two differ most`,
      content: html`<p>n: ${view.experiment.attempt[1]} that count; look-up: the median time in ms to resolve the name. These ${several} are selected for their extreme values. Some are extreme by chance and would be less so in another run. A difference is the Hodges-Lehmann estimate over the pairs of one ${view.experiment.subject[0]}, with its 95 % interval if there are at least 6 pairs.</p>
${drawConditions(
  view,
  (
    condition,
  ) => html`<div class="side-by-side">${view.arms.map((arm) => slowestTable(view, condition, arm))}</div>
<div class="side-by-side">${view.compared.map((arm) => differencesTable(view, condition, arm))}</div>`,
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
  return table({
    label: `The slowest, ${arm.label}`,
    caption: html`${stackLabel(arm)}: the slowest by their median ${metric.phrase}, in ms`,
    columns: [
      [capitalize(experiment.subject[0]), ({ subject }) => nameOf(subject)],
      ['Median', ({ medianMs }) => millisecondsText(medianMs), 'main'],
      ['n', ({ n }) => countText(n)],
      ['Look-up', ({ lookupMs }) => millisecondsText(lookupMs)],
    ],
    items: slowest(own, metric.name),
  });
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

function differencesTable(
  { metric, experiment }: RunView,
  condition: Condition,
  arm: ComparedArm,
): Markup {
  const compared = condition.comparisons
    .flatMap(({ subject, arm: own, nPairs, difference }) =>
      own === arm.arm && difference !== null ? [{ subject, nPairs, difference }] : [],
    )
    .toSorted((a, b) => a.difference.estimate - b.difference.estimate);
  const less = compared.filter(({ difference }) => difference.estimate < 0);
  const more = compared.filter(({ difference }) => difference.estimate > 0).toReversed();
  const group = (what: string, found: typeof compared): Group<(typeof compared)[number]> => [
    `The compared stack takes ${what} time${found.length === 0 ? ': at none' : ''}`,
    found.slice(0, SHOWN),
  ];
  return table({
    label: `Largest differences, ${arm.label}`,
    caption: html`${stackLabel(arm)} minus <bdi>${arm.baseline.label}</bdi>, ${metric.phrase} in ms: the ${SHOWN} at either end`,
    columns: [
      [capitalize(experiment.subject[0]), ({ subject }) => nameOf(subject)],
      ['Difference', ({ difference }) => differenceMarkup(difference, 'ms')],
      ['Pairs', ({ nPairs }) => countText(nPairs)],
    ],
    groups: [group('less', less), group('more', more)],
  });
}
