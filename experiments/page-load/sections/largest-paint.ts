import type { Insert } from '../../../kit/page/markup.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { countText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { drawConditions } from '../../per-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { PageLoad, PageLoadDetails } from '../details.ts';

type LargestPaint = NonNullable<PageLoadDetails['largestPaint']>;
type Part = keyof NonNullable<LargestPaint['splitMs']>;

const PARTS: readonly (readonly [part: Part, heading: string, phrase: string])[] = [
  ['order', 'Until its request', 'until its request'],
  ['connection', 'Connecting', 'connecting'],
  ['waiting', 'Waiting for the first byte', 'waiting for the first byte'],
  ['receiving', 'Transfer', 'in its transfer'],
  ['render', 'After the last byte', 'after the last byte'],
];

/** What an arm paints last in most of its loads, with medians over these loads. */
interface Usual {
  arm: ShownArm;
  /** Of all counted loads with a largest paint. */
  loads: number;
  most: number;
  element: string;
  url: string | null;
  paintMs: number | null;
  /** null: not over the network. */
  splitMs: Readonly<Record<Part, number>> | null;
}

/** The element and resource of the largest paint in each arm, and the parts of its time. */
export const largestPaint: Section<RunView> = defineFoldedSection(
  'largest-paint',
  'What the largest paint waited for',
  (view) => ({
    about: 'its element, and the parts of its time',
    content: html`<p>Medians of the counted loads whose largest paint is the usual one of their stack; the medians of the parts need not add up. A text waits for the document. Its
request comes after all that the page needed before; after the last byte a paint waits for style sheets, scripts and fonts.</p>
${drawConditions(view, (condition, name) =>
  view.run.subjects.map(({ subject }) => {
    const usual = view.arms.flatMap((arm) => usualOf(view, condition, subject, arm) ?? []);
    return usual.length > 0 && ofSubject(view, subject, name, usual);
  }),
)}`,
  }),
);

function usualOf(
  view: RunView,
  { loads }: RunView['conditions'][number],
  subject: string,
  arm: ShownArm,
): Usual | null {
  const all = (loads as readonly PageLoad[]).flatMap(({ id, arm: of, subject: at, ...load }) => {
    const shown = load.details?.largestPaint ?? null;
    return of === arm.arm && at === subject && shown && view.counted.has(id)
      ? [{ shown, paintMs: load.metrics.largestContentfulPaintMs ?? null }]
      : [];
  });
  const alike = Map.groupBy(all, ({ shown }) => JSON.stringify([shown.element, shown.url]));
  const [own] = [...alike.values()].sort((a, b) => b.length - a.length);
  const [first] = own ?? [];
  if (!own || !first) return null;
  const splits = own.flatMap(({ shown }) => shown.splitMs ?? []);
  const medianOf = (part: Part) => median(splits.map((split) => split[part])) ?? 0;
  const { element, url } = first.shown;
  return {
    arm,
    loads: all.length,
    most: own.length,
    element,
    url,
    paintMs: median(own.flatMap(({ paintMs }) => paintMs ?? [])),
    splitMs:
      splits.length === 0
        ? null
        : {
            order: medianOf('order'),
            connection: medianOf('connection'),
            waiting: medianOf('waiting'),
            receiving: medianOf('receiving'),
            render: medianOf('render'),
          },
  };
}

function ofSubject(
  view: RunView,
  subject: string,
  condition: string,
  usual: readonly Usual[],
): Markup {
  const name = `${subject}, ${condition}`;
  return html`${view.run.subjects.length > 1 && html`<h4>${nameOf(subject)}</h4>`}
${view.compared.map((arm) => {
  const own = usual.find((each) => each.arm.arm === arm.arm);
  const other = usual.find((each) => each.arm.arm === arm.baseline.arm);
  return own && other && html`<p>${whyMoved(own, other)}</p>`;
})}
${table({
  caption: html`Largest paint and the parts of its time in ms, <bdi>${name}</bdi>`,
  label: `Largest paint: ${name}`,
  items: usual,
  columns: [
    ['Stack', ({ arm }) => stackLabel(arm)],
    ['Element', ({ element }) => elementText(element), 'text'],
    ['Loads', ({ most, loads }) => `${countText(most)} of ${countText(loads)}`],
    ['Largest paint', ({ paintMs }) => wholeText(paintMs), 'main'],
    ...PARTS.map(
      ([part, heading]): Column<Usual> => [heading, ({ splitMs }) => wholeText(splitMs?.[part])],
    ),
    ['Resource', ({ url }) => (url === null ? 'none' : nameOf(url)), 'text wrap'],
  ],
})}`;
}

/** Whether both arms paint the same, which one sooner, and the part that moved it most. */
function whyMoved(own: Usual, other: Usual): Insert {
  const [arm, baseline] = [html`<bdi>${own.arm.label}</bdi>`, html`<bdi>${other.arm.label}</bdi>`];
  if (own.element !== other.element || own.url !== other.url) {
    return html`The largest paint is not the same: ${elementText(own.element)} with ${arm}, ${elementText(other.element)} with ${baseline}. Their times are those of different parts of the page.`;
  }
  if (own.paintMs === null || other.paintMs === null) return null;
  const laterMs = Math.round(own.paintMs - other.paintMs);
  const moved =
    laterMs === 0
      ? html`${arm} and ${baseline} paint ${paintText(own)} at the same time`
      : html`${arm} paints ${paintText(own)} ${msText(laterMs)} ${laterMs > 0 ? 'later' : 'sooner'} than ${baseline}`;
  const [ofOwn, ofOther] = [own.splitMs, other.splitMs];
  if (laterMs === 0 || !ofOwn || !ofOther) return html`${moved}.`;
  const direction = Math.sign(laterMs);
  const [[differenceMs, phrase]] = PARTS.map(
    ([part, , words]) => [ofOwn[part] - ofOther[part], words] as const,
  ).sort(([a], [b]) => direction * (b - a)) as [readonly [number, string]];
  if (direction * differenceMs < 0.5) return html`${moved}.`;
  return html`${moved}. The largest part of this is ${msText(differenceMs)} ${direction > 0 ? 'more' : 'less'} ${phrase}.`;
}

/** Its file and element, for example `hero.jpg (img)`. */
function paintText({ element, url }: Usual): Markup {
  const file = url === null ? '' : (URL.parse(url)?.pathname.split('/').at(-1) ?? '');
  return file === '' ? elementText(element) : html`<bdi>${file}</bdi> (${elementText(element)})`;
}

function elementText(element: string): Markup {
  return element === '' ? html`an element that is gone` : html`<code>${element}</code>`;
}

function msText(ms: number): string {
  return `${countText(Math.round(Math.abs(ms)))} ms`;
}

function wholeText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : countText(Math.round(ms));
}
