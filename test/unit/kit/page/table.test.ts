import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { html, type Markup } from '../../../../kit/page/markup.ts';
import { type Column, table } from '../../../../kit/page/table.ts';

interface Row {
  name: string;
  count: number;
}

const ROWS: readonly Row[] = [
  { name: '<b>a</b>', count: 1 },
  { name: 'b', count: 12 },
];

const NAME: Column<Row> = ['Name', ({ name }) => name];
const COUNT: Column<Row> = [
  'Count',
  ({ count }) => count,
  ({ count }) => (count > 1 ? 'main' : ''),
];
const NOTE: Column<Row> = [html`<em>Note</em>`, () => null, 'text wrap'];

function parsed(markup: Markup) {
  return parseHTML(`<!doctype html><html><body>${markup}</body></html>`).document;
}

function cellsOf(document: Document, rows: string): string[][] {
  return [...document.querySelectorAll(rows)].map((row) =>
    [...row.children].map(({ textContent }) => textContent ?? ''),
  );
}

test('a table has a caption, scoped headings and a row for each item, and escapes their texts', () => {
  const document = parsed(
    table({ caption: 'All & some', columns: [NAME, COUNT, false, NOTE], items: ROWS }),
  );
  assert.equal(document.querySelector('caption')?.textContent, 'All & some');
  assert.deepEqual(cellsOf(document, 'thead tr'), [['Name', 'Count', 'Note']]);
  assert.deepEqual(cellsOf(document, 'tbody tr'), [
    ['<b>a</b>', '1', ''],
    ['b', '12', ''],
  ]);
  assert.equal(document.querySelectorAll('th[scope="col"]').length, 3);
  assert.equal(document.querySelectorAll('th[scope="row"]').length, 2);
  assert.equal(document.querySelectorAll('b').length, 0);
});

test('a heading is aligned as its cells are, and only cells are emphasised', () => {
  const document = parsed(table({ caption: '', columns: [NAME, COUNT, NOTE], items: ROWS }));
  const classes = (cells: string) =>
    [...document.querySelectorAll(cells)].map(({ className }) => className);
  assert.deepEqual(classes('thead th'), ['text', '', 'text']);
  assert.deepEqual(classes('tbody tr:last-child > *'), ['', 'main', 'text wrap']);
});

test('a group has a heading over all columns, those with a heading in common included', () => {
  const document = parsed(
    table({
      caption: '',
      columns: [NAME, { over: 'Both', columns: [COUNT, NOTE] }],
      groups: [
        [null, ROWS.slice(0, 1)],
        ['Others', ROWS.slice(1)],
      ],
    }),
  );
  assert.deepEqual(cellsOf(document, 'thead tr'), [
    ['Name', 'Both'],
    ['Count', 'Note'],
  ]);
  assert.equal(document.querySelector('thead th')?.getAttribute('rowspan'), '2');
  assert.equal(document.querySelector('th[scope="colgroup"]')?.getAttribute('colspan'), '2');
  const groups = [...document.querySelectorAll('th[scope="rowgroup"]')];
  assert.deepEqual(
    groups.map((group) => [group.textContent, group.getAttribute('colspan')]),
    [['Others', '3']],
  );
  assert.equal(document.querySelectorAll('tbody').length, 2);
});

test('headings in common have levels, and the edge of their first column', () => {
  const document = parsed(
    table({
      caption: '',
      columns: [
        NAME,
        {
          over: 'All',
          columns: [['Mean', () => 1, 'edge'], { over: 'Both', columns: [COUNT, NOTE] }],
        },
      ],
      items: ROWS,
    }),
  );
  const headings = [...document.querySelectorAll('thead tr')].map((row) =>
    [...row.children].map(({ outerHTML }) => outerHTML.replace(/ scope="\w*"|>.*/g, '')),
  );
  assert.deepEqual(headings, [
    ['<th class="text" rowspan="3"', '<th colspan="3" class="edge"'],
    ['<th class="edge" rowspan="2"', '<th colspan="2"'],
    ['<th', '<th class="text"'],
  ]);
});

test('a cell spans columns, and a footer is a row of its own', () => {
  const document = parsed(
    table<Row>({
      caption: '',
      columns: [NAME, ['Count', ({ count }) => (count > 9 ? { span: 2 } : count)], NOTE, COUNT],
      items: ROWS,
      footer: { name: 'both', count: 13 },
    }),
  );
  assert.deepEqual(cellsOf(document, 'tbody tr, tfoot tr'), [
    ['<b>a</b>', '1', '', '1'],
    ['b', '', '12'],
    ['both', '', '13'],
  ]);
  assert.equal(document.querySelector('tfoot td')?.getAttribute('colspan'), '2');
  assert.equal(document.querySelector('tfoot th')?.getAttribute('scope'), 'row');
});

test('a column to sort by has its place, its name and the keys of its cells', () => {
  const document = parsed(
    table<Row>({
      caption: '',
      columns: [
        NAME,
        { over: '', columns: [['Count', () => '', 'text', ['number', ({ count }) => count]]] },
      ],
      items: ROWS,
    }),
  );
  const heading = document.querySelector('th[data-column]');
  assert.equal(heading?.getAttribute('data-column'), '1');
  assert.equal(heading?.getAttribute('data-name'), 'number');
  const cells = [...document.querySelectorAll('tbody td')];
  assert.deepEqual(
    cells.map((cell) => cell.getAttribute('data-key')),
    ['1', '12'],
  );
});

test('a table with a label is a region that scrolls', () => {
  const region = parsed(
    table({ caption: '', label: 'Some "table"', class: 'facts', columns: [NAME], items: [] }),
  ).querySelector('[role="region"]');
  assert.equal(region?.getAttribute('aria-label'), 'Some "table"');
  assert.equal(region?.querySelector('table')?.getAttribute('class'), 'facts');
});

test('a table without headings of columns has no row for them', () => {
  const document = parsed(
    table({ caption: '', columns: [['', ({ name }: Row) => name]], items: ROWS }),
  );
  assert.equal(document.querySelector('thead'), null);
});
