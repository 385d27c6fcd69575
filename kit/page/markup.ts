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
    for (const each of insert) text += inserted(each);
    return text;
  }
  return escaped(String(insert));
}

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
