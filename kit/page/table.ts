import { html, type Insert, type Markup, scrollRegion } from './markup.ts';

/** Classes of a cell: `text` aligns the cell and its heading to the left. */
type Classes<Item> = string | ((item: Item) => string);

/** A heading, the cell of an item, its classes, and how to sort by it. */
export type Column<Item> = readonly [
  heading: Insert,
  cell: (item: Item) => Insert | Span,
  classes?: Classes<Item>,
  sort?: Sort<Item>,
];

/** A cell over this column and the next ones. */
export interface Span {
  span: number;
  content?: Insert;
}

/** The column's name for the announcement, and an item's key. */
type Sort<Item> = readonly [name: string, key: (item: Item) => Insert];

/** Columns with a common heading. */
export interface Columns<Item> {
  over: Insert;
  columns: readonly AnyColumn<Item>[];
}

type AnyColumn<Item> = Column<Item> | Columns<Item>;

/** Rows with their own heading; null: no heading. */
export type Group<Item> = readonly [heading: Insert, items: readonly Item[]];

interface Table<Item> {
  caption: Insert;
  /** The first column holds row headings; false: excluded. */
  columns: readonly (AnyColumn<Item> | false)[];
  items?: readonly Item[];
  groups?: readonly Group<Item>[];
  footer?: Item;
  class?: string;
  /** Name of the scrolling region; absent: the table stands in a figure, which scrolls. */
  label?: string;
}

export function table<Item>({
  caption,
  columns: all,
  items = [],
  groups = [[null, items]],
  footer,
  class: className,
  label,
}: Table<Item>): Markup {
  const columns = all.filter((each) => each !== false);
  const leaves = leavesOf(columns);
  const [first] = groups.flatMap(([, own]) => own);
  const markup = html`<table${classOf(className)}><caption>${caption}</caption>
${leaves.some(([heading]) => heading) && html`<thead>${headRows(columns, leaves, first)}</thead>`}
${groups.map(
  ([heading, own]) => html`<tbody>${
    heading &&
    html`<tr class="site-row"><th scope="rowgroup" colspan="${leaves.length}">${heading}</th></tr>`
  }
${own.map((item) => row(leaves, item))}</tbody>`,
)}${footer !== undefined && html`<tfoot>${row(leaves, footer)}</tfoot>`}</table>`;
  return label === undefined ? markup : scrollRegion(label, markup);
}

function leavesOf<Item>(columns: readonly AnyColumn<Item>[]): Column<Item>[] {
  return columns.flatMap((each) => ('over' in each ? leavesOf(each.columns) : [each]));
}

/** A row of headings for each level of columns with a common heading. */
function headRows<Item>(
  columns: readonly AnyColumn<Item>[],
  leaves: readonly Column<Item>[],
  item: Item | undefined,
): Markup[] {
  const rows: (readonly AnyColumn<Item>[])[] = [];
  for (let level = columns; level.length > 0; ) {
    rows.push(level);
    level = level.flatMap((each) => ('over' in each ? each.columns : []));
  }
  return rows.map(
    (level, depth) =>
      html`<tr>${level.map((each) => headCell(each, item, { leaves, rows: rows.length - depth }))}</tr>`,
  );
}

/** A heading is aligned like its cells. */
function headCell<Item>(
  column: AnyColumn<Item>,
  item: Item | undefined,
  { leaves, rows }: { leaves: readonly Column<Item>[]; rows: number },
): Markup {
  const own = leavesOf([column]);
  const [first] = own;
  const place = first ? leaves.indexOf(first) : 0;
  const shown = place === 0 ? 'text' : namesOf(first?.[2], item);
  const names = classOf(shown.match(/\b(?:text|edge)\b/g)?.join(' '));
  if ('over' in column)
    return html`<th scope="colgroup" colspan="${own.length}"${names}>${column.over}</th>`;
  const [heading, , , sort] = column;
  const span = rows > 1 && html` rowspan="${rows}"`;
  if (heading === '') return html`<td${span}></td>`;
  return html`<th scope="col"${sort && html` data-column="${place}" data-name="${sort[0]}"`}${names}${span}>${heading}</th>`;
}

function row<Item>(columns: readonly Column<Item>[], item: Item): Markup {
  let covered = 0;
  return html`<tr>${columns.map(([, of, classes, sort], place) => {
    if (place < covered) return null;
    const cell = of(item);
    const { span, content } = isSpan(cell) ? cell : { span: 1, content: cell };
    covered = place + span;
    const attributes = html`${classOf(namesOf(classes, item))}${sort && html` data-key="${sort[1](item)}"`}${span > 1 && html` colspan="${span}"`}`;
    return place === 0
      ? html`<th scope="row"${attributes}>${content}</th>`
      : html`<td${attributes}>${content}</td>`;
  })}</tr>`;
}

function isSpan(cell: Insert | Span): cell is Span {
  return typeof cell === 'object' && cell !== null && 'span' in cell;
}

function namesOf<Item>(classes: Classes<Item> = '', item: Item | undefined): string {
  if (typeof classes === 'string') return classes;
  return item === undefined ? '' : classes(item);
}

function classOf(names: string | undefined): Insert {
  return names && html` class="${names}"`;
}
