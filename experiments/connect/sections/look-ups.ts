import { blockKey } from '../../../ground/records/cell.ts';
import { distributionChart } from '../../../kit/charts/distribution-chart.ts';
import { figure, lineLegend } from '../../../kit/page/figure.ts';
import { html } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { counted, countText, millisecondsText } from '../../../kit/text/number.ts';
import { quantile } from '../../../statistics/quantile.ts';
import type { RunView } from '../../run-view.ts';
import { type Connection, FAMILIES, type Family, familyOf } from './connections.ts';

/** The look-up of a name, which all connections of its block share. */
interface LookUp {
  lookupMs: number;
  family: Family | null;
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

export const lookUps: Section<RunView> = {
  isShown: (view) => lookUpsOf(view).length > 0,
  ...folded('look-ups', 'Look-ups', (view) => {
    const all = lookUpsOf(view);
    const samples = [...FAMILIES, null].flatMap((family, place) => {
      const own = all.filter((each) => each.family === family);
      const label = family ?? 'no address found';
      return own.length > 0
        ? [{ arm: { arm: label, label, place }, values: own.map(({ lookupMs }) => lookupMs) }]
        : [];
    });
    return {
      title: 'Look-ups of names',
      about: `${counted(all.length, 'look-up')}, once for each block`,
      content: html`<p>A name is looked up once for each block, and all of its ${view.experiment.attempt[1]} use that answer: no time in this report has a look-up in it. The first look-up of a name mostly finds the resolver’s cache empty, and later ones find
it filled, so these times say more about the resolver than about the ${view.experiment.subject[1]}.</p>
${figure({
  name: 'times of look-ups',
  caption: html`<h4>All blocks</h4>`,
  legend: lineLegend(samples.map(({ arm }) => arm)),
  chart: distributionChart(
    samples,
    `Line chart: share of the ${counted(all.length, 'look-up')} that took no longer than a time, a line for each kind of address. The table below it has some of its points.`,
    { measured: 'Time of a look-up', attempts: 'look-ups' },
  ),
  data: html`<table><caption>Time in ms within which a share of the look-ups was done</caption>
<thead><tr><th scope="col" class="text">Address asked for</th>${SHARES.map((share) => html`<th scope="col">${100 * share} %</th>`)}<th scope="col">Look-ups</th></tr></thead>
<tbody>
${samples.map(
  ({ arm, values }) =>
    html`<tr><th scope="row">${stackLabel(arm)}</th>${SHARES.map((share) => html`<td>${millisecondsText(quantile(values, share))}</td>`)}<td>${countText(values.length)}</td></tr>`,
)}</tbody></table>`,
})}`,
    };
  }),
};

/** One for each block in which a name was looked up. */
function lookUpsOf({ conditions }: RunView): LookUp[] {
  const found = new Map<string, LookUp>();
  for (const load of conditions.flatMap(({ loads }) => loads as readonly Connection[])) {
    const lookupMs = load.details?.lookupMs ?? null;
    if (lookupMs !== null)
      found.set(`${load.attempt} ${blockKey(load)}`, { lookupMs, family: familyOf(load) });
  }
  return [...found.values()];
}
