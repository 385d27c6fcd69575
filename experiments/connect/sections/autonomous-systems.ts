import { systemText } from '../../../ground/records/autonomous-system.ts';
import { spreadFigure } from '../../../kit/charts/spread.ts';
import { html, type Insert, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText, millisecondsText } from '../../../kit/text/number.ts';
import { shorten } from '../../../kit/text/terminal.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { type Condition, type Connection, hostCount } from './connections.ts';

/** Rows of a table: a list of many hosts has hundreds of systems. */
const MOST_ROWS = 50;
const MOST_CHARTS = 6;
/** Of a name next to an axis. */
const MOST_CHARACTERS = 30;

/** Attempts of a condition at addresses of one autonomous system. */
interface SystemAttempts {
  name: string;
  isRouted: boolean;
  hosts: number;
  loads: readonly Connection[];
}

export const autonomousSystems: Section<RunView> = {
  isShown: hasAny((_, condition: Condition) => systemsOf(condition)),
  ...defineFoldedSection('autonomous-systems', 'Autonomous systems', (view) => ({
    about: `${view.metric.phrase} by the network of the address`,
    content: html`<p>The table of <code>--as-table</code> has the autonomous system (AS) of each address; <em>not routed</em>: the table has AS 0 or no range. ${capitalize(view.experiment.attempt[1])} without an address are not included. Systems differ in distance, servers and ${view.experiment.subject[1]}, so a difference between two of them is not about the protocol. Compare the stacks within one.</p>
${drawConditions(view, (condition, name) => systemsMarkup(view, condition, name))}`,
  })),
};

/** Those with the most hosts first. */
function systemsOf({ loads }: Pick<Condition, 'loads'>): SystemAttempts[] {
  const known = (loads as readonly Connection[]).filter(
    ({ details }) => details?.autonomousSystem !== undefined,
  );
  return [...Map.groupBy(known, ({ details }) => details?.autonomousSystem?.number).values()]
    .map((own) => {
      const system = own[0]?.details?.autonomousSystem ?? null;
      const isRouted = system !== null;
      return { name: systemText(system), isRouted, hosts: hostCount(own), loads: own };
    })
    .toSorted((a, b) => b.hosts - a.hosts || b.loads.length - a.loads.length);
}

function systemsMarkup(view: RunView, condition: Condition, name: string): Insert {
  const { experiment, metric, arms } = view;
  const systems = systemsOf(condition);
  if (systems.length === 0) return '';
  const [, several] = experiment.subject;
  const routed = systems.filter(({ isRouted }) => isRouted);
  return html`${table({
    label: `Autonomous systems, ${name}`,
    caption: html`Median ${metric.phrase} in ms over the ${experiment.attempt[1]} that count, by autonomous system, those with the most ${several} first${systems.length > MOST_ROWS && `; ${MOST_ROWS} of ${countText(systems.length)}, connections.csv has all`}`,
    columns: [
      ['Autonomous system', (system) => nameOf(system.name)],
      [capitalize(several), ({ hosts }) => countText(hosts)],
      [capitalize(experiment.attempt[1]), ({ loads }) => countText(loads.length)],
      [
        'Failed',
        ({ loads }) => countText(loads.filter(({ outcome }) => outcome === 'failed').length),
      ],
      ...arms.map(
        (arm): Column<SystemAttempts> => [
          stackLabel(arm),
          (system) => millisecondsText(median(timesMs(view, system, arm))),
          'main',
        ],
      ),
    ],
    items: systems.slice(0, MOST_ROWS),
  })}
${
  routed.length > 0 &&
  spreadFigure({
    name: `spread of ${metric.phrases} by autonomous system, ${name}`,
    caption: html`<h4>How ${metric.phrases} are spread in ${routed.length > MOST_CHARTS ? `the ${MOST_CHARTS} largest systems` : 'each system'}</h4>`,
    spreads: routed.slice(0, MOST_CHARTS).map((system) => ({
      measured: { label: `${shorten(system.name, MOST_CHARACTERS)}: ${metric.phrase}`, unit: 'ms' },
      several: experiment.attempt[1],
      samples: arms.map((arm) => ({ arm, values: timesMs(view, system, arm) })),
    })),
  })
}`;
}

function timesMs({ counted, metric }: RunView, { loads }: SystemAttempts, { arm }: ShownArm) {
  return loads.flatMap((each) =>
    each.arm === arm && counted.has(each.id) ? (each.metrics[metric.name] ?? []) : [],
  );
}
