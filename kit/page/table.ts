import { html, type Insert, type Markup, scrollRegion } from './markup.ts';

/** Classes of a cell: `text` aligns the cell and its heading to the left. */
type Classes<Item> = string | ((item: Item) => string);

/** A heading, the cell of an item, and its classes. */
export type Column<Item> = readonly [
  heading: Insert,
  cell: (item: Item) => Insert,
  classes?: Classes<Item>,
];

/** Columns with a common heading. */
interface Columns<Item> {
  over: Insert;
  columns: readonly Column<Item>[];
}

/** Rows with their own heading; null: no heading. */
export type Group<Item> = readonly [heading: Insert, items: readonly Item[]];

interface Table<Item> {
  caption: Insert;
  /** The first column holds row headings; false: excluded. */
  columns: readonly (Column<Item> | Columns<Item> | false)[];
  items?: readonly Item[];
  groups?: readonly Group<Item>[];
  class?: string;
  /** Name of the scrolling region; absent: the table stands in a figure, which scrolls. */
  label?: string;
}

export function table<Item>({
  caption,
  columns: all,
  items = [],
  groups = [[null, items]],
  class: className,
  label,
}: Table<Item>): Markup {
  const columns = all.filter((each) => each !== false);
  const flat = columns.flatMap((each) => ('over' in each ? each.columns : [each]));
  const [first] = groups.flatMap(([, own]) => own);
  const markup = html`<table${classOf(className)}><caption>${caption}</caption>
${flat.some(([heading]) => heading) && html`<thead>${headRows(columns, first)}</thead>`}
${groups.map(
  ([heading, own]) => html`<tbody>${
    heading &&
    html`<tr class="site-row"><th scope="rowgroup" colspan="${flat.length}">${heading}</th></tr>`
  }
${own.map((item) => html`<tr>${flat.map((column, place) => cell(column, item, place))}</tr>`)}</tbody>`,
)}</table>`;
  return label === undefined ? markup : scrollRegion(label, markup);
}

/** One row of headings, or two if some columns have a common heading. */
function headRows<Item>(
  columns: readonly (Column<Item> | Columns<Item>)[],
  item: Item | undefined,
): Markup {
  const shared = columns.filter((each) => 'over' in each);
  const rows = shared.length > 0 && html` rowspan="2"`;
  return html`<tr>${columns.map((each, place) =>
    'over' in each
      ? html`<th scope="colgroup" colspan="${each.columns.length}">${each.over}</th>`
      : headCell(each, item, { place, rows }),
  )}</tr>${
    shared.length > 0 &&
    html`
<tr>${shared.map(({ columns: own }) => own.map((each) => headCell(each, item)))}</tr>`
  }`;
}

/** A heading is aligned like its cells. */
function headCell<Item>(
  [heading, , classes]: Column<Item>,
  item: Item | undefined,
  { place, rows = false }: { place?: number; rows?: Insert } = {},
): Markup {
  if (heading === '') return html`<td></td>`;
  const own = place === 0 ? 'text' : namesOf(classes, item);
  const names = own.split(' ').filter((name) => name === 'text' || name === 'edge');
  return html`<th scope="col"${classOf(names.join(' '))}${rows}>${heading}</th>`;
}

function cell<Item>([, of, classes]: Column<Item>, item: Item, place: number): Markup {
  const attribute = classOf(namesOf(classes, item));
  return place === 0
    ? html`<th scope="row"${attribute}>${of(item)}</th>`
    : html`<td${attribute}>${of(item)}</td>`;
}

function namesOf<Item>(classes: Classes<Item> = '', item: Item | undefined): string {
  if (typeof classes === 'string') return classes;
  return item === undefined ? '' : classes(item);
}

function classOf(names: string | undefined): Insert {
  return names && html` class="${names}"`;
}
