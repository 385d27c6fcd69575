import type { AskedNetwork } from '../../records/network.ts';
import { conditionText } from '../condition.ts';
import { html, type Insert, type Markup } from './markup.ts';

/** A site's name or another text from outside, kept from turning the direction of the text around it. */
export function nameOf(text: string): Markup {
  return html`<bdi class="name">${text}</bdi>`;
}

/** A network condition by its name and its numbers. */
export function networkTitle(condition: AskedNetwork): Markup {
  return html`${nameOf(condition.name)}<span class="colon">: </span>${conditionText(condition)}`;
}

/** The colour of the stack at this place of the plan, beside its label; the label says the same in words. */
export function stackLabel(label: string, index: number): Markup {
  return html`<span class="swatch stack-${(index % 6) + 1}" aria-hidden="true"></span>${label}`;
}

/** A table or chart that may be wider than the screen: it scrolls by itself, by keyboard too. */
export function scrolling(label: string, content: Insert): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}
