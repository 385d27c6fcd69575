import type { NetworkCondition } from '../ground/records/network.ts';
import { conditionTitle, html, type Insert, type Markup } from '../kit/page/markup.ts';
import { conditionName } from './condition.ts';

interface Condition {
  network: NetworkCondition;
  variant: string;
  text: string;
}

interface Conditions<C> {
  conditions: readonly C[];
}

export function hasAny<View, C>(
  itemsOf: (view: View, condition: C) => readonly unknown[],
): (view: View & Conditions<C>) => boolean {
  return (view) => view.conditions.some((condition) => itemsOf(view, condition).length > 0);
}

/** Draws each condition below its title; skips conditions without a drawing. */
export function drawConditions<C extends Condition>(
  { conditions }: Conditions<C>,
  draw: (condition: C, name: string) => Insert,
): Markup[] {
  return conditions.flatMap((condition) => {
    const drawing = html`${draw(condition, conditionName(condition))}`;
    return drawing.text === ''
      ? []
      : html`<h3>${conditionTitle(condition)}</h3>
${drawing}`;
  });
}
