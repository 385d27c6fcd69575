import { NOTHING_ADDED } from '../../ground/records/network.ts';
import { capitalize } from '../text/capitalize.ts';
import type { Chart, ChartData } from './chart.ts';

const NO_CHARTS: readonly Chart[] = [];

/** HTML with its charts; created only by this module. */
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

/** A drawing and its data. */
export function chartOf(svg: Markup, data: ChartData | null): Markup {
  return new Markup(svg.text, [{ name: null, svg: svg.text, data }]);
}

/** Values in a template: text and numbers are escaped; null, undefined and false are empty. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

/**
 * A template that escapes all values except Markup. Quote attribute values.
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

/** Marks trusted text as HTML: only for text of the report itself, such as its style sheet. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

/** Text of a value; its charts are added to those of the template. */
function renderInsert(insert: Insert, charts: Chart[]): string {
  if (insert === null || insert === undefined || insert === false) return '';
  if (insert instanceof Markup) {
    for (const chart of insert.charts) charts.push(chart);
    return insert.text;
  }
  if (typeof insert === 'object') {
    // Concatenation creates ropes, where join() would copy MBs at each level.
    let text = '';
    for (const each of insert) {
      const part = renderInsert(each, charts);
      text += ENDS_OF_LINES.some((end) => part.endsWith(end)) ? `${part}\n` : part;
    }
    return text;
  }
  return escapeHtml(String(insert));
}

/** Elements that get their own lines, so that pages are readable as text. */
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

/** External text, such as a site's name, isolated from the text direction around it. */
export function nameOf(text: string): Markup {
  return html`<bdi class="name">${text}</bdi>`;
}

/** Whether a site's page is generated, and so differs from the real page of that name. */
export function isGenerated({ subjects }: Sites, name: string): boolean {
  return subjects.some(({ subject, kind }) => subject === name && kind === 'generated');
}

interface Sites {
  subjects: readonly { subject: string; kind: string }[];
}

/** A site's name in a table, marked if its page is generated. */
export function siteName({ run }: { run: Sites }, name: string): Markup {
  return html`${nameOf(name)}${isGenerated(run, name) && html` <small>generated</small>`}`;
}

/** Name and numbers of a network condition, with the visit unless it is cold; without a network, only the visit. */
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

/** A table or chart that scrolls if it is wider than the screen, also by keyboard. */
export function scrollRegion(label: string, content: Insert): Markup {
  return nameCharts(
    label.replace(/^Chart: /, ''),
    html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`,
  );
}

/** Names the charts of a figure. */
export function nameCharts(name: string, { text, charts }: Markup): Markup {
  return new Markup(
    text,
    charts.map((chart) => ({
      ...chart,
      name: charts.length > 1 && chart.data?.title ? `${name}, ${chart.data.title}` : name,
    })),
  );
}
