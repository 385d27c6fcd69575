import { blockKey } from '../../../ground/records/cell.ts';
import { spreadFigure } from '../../../kit/charts/spread.ts';
import { html } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { countWithNoun } from '../../../kit/text/number.ts';
import type { RunView } from '../../run-view.ts';
import { type Connection, FAMILIES, type Family, familyOf } from './connections.ts';

/** The look-up of a name, which all connections of its block share. */
interface LookUp {
  lookupMs: number;
  family: Family | null;
}

export const lookUps: Section<RunView> = {
  isShown: (view) => lookUpsOf(view).length > 0,
  ...defineFoldedSection('look-ups', 'Look-ups', (view) => {
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
      about: `${countWithNoun(all.length, 'look-up')}, once for each block`,
      content: html`<p>A name is looked up once for each block, and all ${view.experiment.attempt[1]} of the block use the result. So no time in this report contains a look-up. The first look-up of a name usually finds the resolver’s cache empty, and later ones find
it filled. So these times depend more on the resolver than on the ${view.experiment.subject[1]}.</p>
${spreadFigure({
  name: 'times of look-ups',
  caption: html`<h4>All blocks</h4>`,
  each: 'Address family',
  spreads: [{ measured: { label: 'Time of a look-up', unit: 'ms' }, several: 'look-ups', samples }],
})}`,
    };
  }),
};

/** One for each block with a look-up. */
function lookUpsOf({ conditions }: RunView): LookUp[] {
  const found = new Map<string, LookUp>();
  for (const load of conditions.flatMap(({ loads }) => loads as readonly Connection[])) {
    const lookupMs = load.details?.lookupMs ?? null;
    if (lookupMs !== null)
      found.set(`${load.attempt} ${blockKey(load)}`, { lookupMs, family: familyOf(load) });
  }
  return [...found.values()];
}
