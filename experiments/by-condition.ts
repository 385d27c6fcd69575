import { conditionTitle, html, type Markup } from '../kit/page/markup.ts';
import { conditionName } from './condition.ts';
import type { RunView } from './run-view.ts';

type Condition = RunView['conditions'][number];

/** What a section shows of a condition, one after another: sizes, mixes, videos. */
type ItemsOf<View, Item> = (view: View, condition: Condition) => readonly Item[];

/** Whether there is anything to show of any condition. */
export function hasAny<View>(
  itemsOf: ItemsOf<View, unknown>,
): (view: View & Pick<RunView, 'conditions'>) => boolean {
  return (view) => view.conditions.some((condition) => itemsOf(view, condition).length > 0);
}

/** Every condition of which there is anything to show, below its title. */
export function byCondition<View, Item>(
  view: View & Pick<RunView, 'conditions'>,
  itemsOf: ItemsOf<View, Item>,
  markupOf: (item: Item, name: string, condition: Condition) => Markup | null,
): Markup[] {
  return view.conditions.flatMap((condition) => {
    const items = itemsOf(view, condition);
    const name = conditionName(condition);
    return items.length === 0
      ? []
      : html`<h3>${conditionTitle(condition)}</h3>
${items.map((item) => markupOf(item, name, condition))}`;
  });
}
