import { conditionKey } from '../../../ground/records/cell.ts';
import { type Factors, variantOf } from '../../../ground/records/factors.ts';
import { spreadFigure } from '../../../kit/charts/spread.ts';
import { differenceMarkup } from '../../../kit/page/estimate.ts';
import { legend } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText, decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { signShares } from '../../../statistics/sign-shares.ts';
import { differenceEstimate } from '../../estimates.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import {
  type Connection,
  countedOf,
  FAMILIES,
  type Family,
  familyOf,
  hostMedians,
} from './connections.ts';

/** Connections by address family, which differ only in arm and family. */
type Families = ReadonlyMap<Family | null, readonly Connection[]>;

export const addressFamilies: Section<RunView> = {
  isShown: (view) => sidesOf(view).length > 0,
  ...defineFoldedSection('address-families', 'IPv4 and IPv6', (view) => ({
    about: `${view.metric.phrase} by address family, at the same ${view.experiment.subject[1]}`,
    content: html`<p>IPv4 and IPv6 may reach one ${view.experiment.subject[0]} over different paths and on different machines. So a difference is about the way to the server, not the cost of a protocol. The difference of each ${view.experiment.subject[0]} that
answered over both is its median over IPv6 less its median over IPv4. Their common estimate is that of Hodges and Lehmann, with its 95 % interval.</p>
${sidesOf(view).map(({ name, families }) => sideBySide(view, name, families))}`,
  })),
};

/** Groups of conditions that differ only in the address family, with connections of both. */
function sidesOf(view: RunView): { name: string; families: Families }[] {
  const measured = view.conditions.flatMap((condition) => {
    const connections = countedOf(view, condition);
    const [first] = connections;
    return first ? [{ condition, connections, factors: first.factors }] : [];
  });
  const alike = Map.groupBy(measured, ({ condition, factors }) =>
    conditionKey({ network: condition.network.name, variant: variantOf(withoutFamily(factors)) }),
  );
  return [...alike.values()].flatMap((own) => {
    const families = Map.groupBy(
      own.flatMap(({ connections }) => connections),
      familyOf,
    );
    if (!FAMILIES.every((family) => families.has(family))) return [];
    // The text of an IPv4 condition does not name the family, so it fits both.
    const four = own.find(({ connections }) =>
      connections.some((each) => familyOf(each) === 'IPv4'),
    );
    const { network, variantText = '' } = four?.condition ?? {};
    const name = [network?.name ?? '', variantText].filter((text) => text !== '').join(', ');
    return [{ name, families }];
  });
}

function withoutFamily({ ipv: _, ...rest }: Factors): Factors {
  return rest;
}

function sideBySide(view: RunView, name: string, families: Families): Markup {
  const { metric, experiment } = view;
  return html`<h3>${nameOf(name)}</h3>
${distributions(view, name, families)}
${table({
  label: `IPv6 against IPv4, ${name}`,
  caption: html`Median ${metric.phrase} in ms over the ${experiment.subject[1]} that answered over both, and the difference IPv6 less IPv4`,
  columns: [
    ['Stack', ({ arm }) => stackLabel(arm)],
    [capitalize(experiment.subject[1]), ({ both }) => countText(both.length)],
    ['IPv4', ({ both }) => millisecondsText(median(both.map(({ fourMs }) => fourMs)))],
    ['IPv6', ({ both }) => millisecondsText(median(both.map(({ sixMs }) => sixMs)))],
    ['Difference', (own) => differenceMarkup(differenceEstimate(differencesMs(own)), 'ms'), 'main'],
    ['IPv6 took less', (own) => lessText(differencesMs(own))],
  ],
  items: view.arms.map((arm) => ({ arm, both: hostsOfBoth(view, families, arm) })),
})}`;
}

/** A chart for each arm, with a line for each family. */
function distributions(view: RunView, name: string, families: Families): Markup {
  const { metric, experiment, arms } = view;
  const [, several] = experiment.attempt;
  return spreadFigure({
    name: `spread of ${metric.phrases} by address family, ${name}`,
    caption: html`<h4>How ${metric.phrases} are spread</h4>`,
    legend: legend(['IPv4: the stack’s line', 'IPv6: paler and dotted']),
    each: 'Family',
    spreads: arms.map((arm) => ({
      measured: { label: `${arm.label}: ${metric.phrase}`, unit: 'ms' },
      several,
      samples: FAMILIES.map((family) => ({
        arm: { ...arm, label: family, pale: family === 'IPv6' },
        values: (families.get(family) ?? []).flatMap((each) =>
          each.arm === arm.arm ? (each.metrics[metric.name] ?? []) : [],
        ),
      })),
    })),
  });
}

interface HostMedians {
  fourMs: number;
  sixMs: number;
}

function hostsOfBoth({ metric }: RunView, families: Families, arm: ShownArm): HostMedians[] {
  const [four = new Map<string, number>(), six = new Map<string, number>()] = FAMILIES.map(
    (family) =>
      hostMedians(
        (families.get(family) ?? []).filter((each) => each.arm === arm.arm),
        metric.name,
      ),
  );
  return [...four].flatMap(([host, fourMs]) => {
    const sixMs = six.get(host);
    return sixMs === undefined ? [] : [{ fourMs, sixMs }];
  });
}

function differencesMs({ both }: { both: readonly HostMedians[] }): number[] {
  return both.map(({ fourMs, sixMs }) => sixMs - fourMs);
}

function lessText(differences: readonly number[]): string {
  const below = signShares(differences)?.below ?? null;
  return below === null ? '–' : `${decimalText(100 * below, 0)} %`;
}
