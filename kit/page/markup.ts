import { NOTHING_ADDED } from '../../ground/records/network.ts';
import { capitalize } from '../text/capitalize.ts';
import type { Chart, ChartData } from './chart.ts';

const NO_CHARTS: readonly Chart[] = [];

/** Text that is HTML already, with the charts in it; only this module makes it. */
export class Markup {
  readonly text: string;
  readonly charts: readonly Chart[];

  constructor(text: string, charts = NO_CHARTS) {
    this.text = text;
    this.charts = charts;
  }

  toString(): string {
    return this.text;
  }
}

/** A drawing and its numbers. */
export function chartOf(svg: Markup, data: ChartData | null): Markup {
  return new Markup(svg.text, [{ name: null, svg: svg.text, data }]);
}

/** What may stand in a template: text and numbers are escaped, null, undefined and false leave nothing. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

/**
 * A template whose inserts are escaped unless they are Markup themselves. Attribute values are to be quoted.
 * @example html`<td title="${name}">${name}</td>`
 */
export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  let text = strings[0] ?? '';
  const charts: Chart[] = [];
  for (const [index, insert] of inserts.entries()) {
    text += renderInsert(insert, charts) + strings[index + 1];
  }
  return new Markup(text, charts.length > 0 ? charts : NO_CHARTS);
}

/** Marks text as HTML that needs no escaping: only for text made by the report itself, such as its style sheet. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

/** The text of an insert; its charts are added to those of the template. */
function renderInsert(insert: Insert, charts: Chart[]): string {
  if (insert === null || insert === undefined || insert === false) return '';
  if (insert instanceof Markup) {
    for (const chart of insert.charts) charts.push(chart);
    return insert.text;
  }
  if (typeof insert === 'object') {
    // Adding links texts where join() copies them, level by level of a page of some MB.
    let text = '';
    for (const each of insert) {
      const part = renderInsert(each, charts);
      text += ENDS_OF_LINES.some((end) => part.endsWith(end)) ? `${part}\n` : part;
    }
    return text;
  }
  return escapeHtml(String(insert));
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

function escapeHtml(text: string): string {
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
  if (network.name === NOTHING_ADDED.name) return nameOf(capitalize(text));
  return html`${nameOf(network.name)}<span class="numbers"><span class="colon">: </span>${text}</span>`;
}

/** A table or chart that may be wider than the screen: it scrolls by itself, by keyboard too. */
export function scrollRegion(label: string, content: Insert): Markup {
  return nameCharts(
    label.replace(/^Chart: /, ''),
    html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`,
  );
}

/** Gives the charts of a figure its name. */
export function nameCharts(name: string, { text, charts }: Markup): Markup {
  return new Markup(
    text,
    charts.map((chart) => ({
      ...chart,
      name: charts.length > 1 && chart.data?.title ? `${name}, ${chart.data.title}` : name,
    })),
  );
}
