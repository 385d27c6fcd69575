import { variantName } from '../../experiments/index.ts';
import { type ChartStack, colourNumber } from './stack.ts';
import type { ConditionView, ReportView } from '../sections/view.ts';
import { html, type Insert, type Markup } from './markup.ts';

/** A site's name or another text from outside, kept from turning the direction of the text around it. */
export function nameOf(text: string): Markup {
  return html`<bdi class="name">${text}</bdi>`;
}

/** A site's name in a table, with what its page must not be taken for. */
export function siteName({ run }: Pick<ReportView, 'run'>, name: string): Markup {
  const isGenerated = run.subjects.some(
    ({ subject, kind }) => subject === name && kind === 'generated',
  );
  return html`${nameOf(name)}${isGenerated && html` <small>generated</small>`}`;
}

/** A condition by the name of its network and its numbers, and by its visit where that is not cold. */
export function conditionTitle({ network, text }: Pick<ConditionView, 'network' | 'text'>): Markup {
  return html`${nameOf(network.name)}<span class="numbers"><span class="colon">: </span>${text}</span>`;
}

/** The same in a few words, for captions and labels. */
export function conditionName({
  network,
  variant,
}: Pick<ConditionView, 'network' | 'variant'>): string {
  return [network.name, variantName(variant)].filter((text) => text !== '').join(', ');
}

/** The stack's colour beside its label; the label says the same in words. */
export function stackLabel({
  label,
  place,
  pale,
}: Pick<ChartStack, 'label' | 'place' | 'pale'>): Markup {
  return html`<span class="swatch stack-${colourNumber(place)}${pale && ' pale'}" aria-hidden="true"></span><bdi>${label}</bdi>`;
}

/** A table or chart that may be wider than the screen: it scrolls by itself, by keyboard too. */
export function scrolling(label: string, content: Insert): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}
