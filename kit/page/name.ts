import { html, type Insert, type Markup } from './markup.ts';

/** A site's name or another text from outside, kept from turning the direction of the text around it. */
export function nameOf(text: string): Markup {
  return html`<bdi class="name">${text}</bdi>`;
}

/** Whether a site's page was made up, so that it must not be taken for the one of that name. */
export function isGenerated({ subjects }: Sites, name: string): boolean {
  return subjects.some(({ subject, kind }) => subject === name && kind === 'generated');
}

interface Sites {
  subjects: readonly { subject: string; kind: string }[];
}

/** A site's name in a table, with what its page must not be taken for. */
export function siteName({ run }: { run: Sites }, name: string): Markup {
  return html`${nameOf(name)}${isGenerated(run, name) && html` <small>generated</small>`}`;
}

/** A condition by the name of its network and its numbers, and by its visit where that is not cold. */
export function conditionTitle({
  network,
  text,
}: {
  network: { name: string };
  text: string;
}): Markup {
  return html`${nameOf(network.name)}<span class="numbers"><span class="colon">: </span>${text}</span>`;
}

/** A table or chart that may be wider than the screen: it scrolls by itself, by keyboard too. */
export function scrolling(label: string, content: Insert): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}
