import { NOTHING_ADDED } from '../../ground/records/network.ts';
import { capital } from '../text/capital.ts';

/** Text that is HTML already; only this module makes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: text and numbers are escaped, null, undefined and false leave nothing. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

/**
 * A template whose inserts are escaped unless they are Markup themselves. Attribute values are to be quoted.
 * @example html`<td title="${name}">${name}</td>`
 */
export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, insert] of inserts.entries()) text += inserted(insert) + strings[index + 1];
  return new Markup(text);
}

/** Marks text as HTML that needs no escaping: only for text made by the report itself, such as its style sheet. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function inserted(insert: Insert): string {
  if (insert === null || insert === undefined || insert === false) return '';
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === 'object') {
    // Adding links texts where join() copies them, level by level of a page of some MB.
    let text = '';
    for (const each of insert) {
      const part = inserted(each);
      text += ENDS_OF_LINES.some((end) => part.endsWith(end)) ? `${part}\n` : part;
    }
    return text;
  }
  return escaped(String(insert));
}

/** What ends like this, one after another, stands in lines of its own, so that pages can be read as text. */
const ENDS_OF_LINES = ['</tr>', '</tbody>', '</li>', '</p>', '</details>', '</dd>'];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const SPECIAL = /[&<>"']/;

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

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

/** A condition by the name of its network and its numbers, and by its visit where that is not cold; without network, by these alone. */
export function conditionTitle({
  network,
  text,
}: {
  network: { name: string };
  text: string;
}): Markup {
  if (network.name === NOTHING_ADDED.name) return nameOf(capital(text));
  return html`${nameOf(network.name)}<span class="numbers"><span class="colon">: </span>${text}</span>`;
}

/** A table or chart that may be wider than the screen: it scrolls by itself, by keyboard too. */
export function scrolling(label: string, content: Insert): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}
