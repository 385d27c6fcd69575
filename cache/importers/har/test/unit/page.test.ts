import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { exampleExchange } from '../../../../../test/unit/cache/example-recording.ts';
import { noteLines } from '../../../../notes.ts';
import type { RecordedExchange } from '../../../../recording.ts';
import { documentOf, harPage } from '../../page.ts';

const html: [string, string][] = [['content-type', 'text/html']];
const pageAt = (url: string, change: Partial<Omit<RecordedExchange, 'body'>> = {}) =>
  exampleExchange(url, { headers: html, ...change });
const askedBy = (url: string) => ({ requestHeaders: [['Referer', url]] as [string, string][] });
const FRAME = pageAt('https://ads.test/frame', askedBy('https://www.a.test/'));
const PAGE = pageAt('https://www.a.test/');

const entryOf = (url: string, mimeType: string, pageref?: string) => ({
  request: { url },
  response: { status: 200, content: { mimeType } },
  ...(pageref === undefined ? {} : { pageref }),
});

test('the page is what the HAR says it is, wherever it says so, before any frame', () => {
  const names = [
    { _url: 'https://www.a.test/' },
    { _URL: 'http://www.a.test' },
    { title: 'https://www.a.test/#top' },
    { title: 'Run 1, First View for https://www.a.test/' },
  ];
  const unasked = { ...FRAME, requestHeaders: [] };
  for (const page of names) {
    assert.equal(documentOf([unasked, PAGE], [{}, {}], page), PAGE.url, JSON.stringify(page));
  }
  for (const mark of ['_is_base_page', '_final_base_page']) {
    assert.equal(documentOf([unasked, PAGE], [{}, { [mark]: true }], null), PAGE.url);
  }
});

test('a title that names nothing that was recorded decides nothing', () => {
  assert.equal(documentOf([PAGE], [{}], { title: 'See https://www.b.test/' }), PAGE.url);
  assert.equal(documentOf([PAGE], [{}], { title: 'A title' }), PAGE.url);
});

test('what no page asked for is the page, whatever came first', () => {
  assert.equal(documentOf([FRAME, PAGE], [{}, {}], null), PAGE.url);
  const typed = [{ ...FRAME, type: 'iframe' as const }, pageAt(PAGE.url, { type: 'document' })];
  assert.equal(documentOf(typed, [{}, {}], null), PAGE.url);
});

test('what failed, or is an error page, is not the document while there is another', () => {
  const blocked = pageAt('https://ads.test/', { type: 'document', failure: 'net::ERR_ABORTED' });
  assert.equal(documentOf([blocked, PAGE], [{}, {}], null), PAGE.url);
  assert.equal(
    documentOf([pageAt('https://a.test/', { status: 404, type: 'document' })], [{}], null),
    'https://a.test/',
  );
  const failed = pageAt('https://www.a.test/', { status: 511 });
  const script = exampleExchange('https://www.a.test/a.js');
  assert.equal(documentOf([failed, script], [{}, {}], null), failed.url);
  // What a page asks for is no page, whatever became of it.
  assert.equal(documentOf([script, failed], [{}, {}], null), null);
  assert.equal(documentOf([], [], null), null);
});

test('a navigation begins with the first redirect, and not with a script that had it made', () => {
  const redirect = exampleExchange('https://a.test/', {
    status: 301,
    headers: [['location', 'https://www.a.test/']],
    initiator: 0,
  });
  const before = pageAt('https://b.test/');
  const exchanges = [before, redirect, { ...PAGE, initiator: 1 }];
  assert.equal(documentOf(exchanges, [{}, {}, {}], { title: PAGE.url }), 'https://a.test/');
});

test('of several pages the first that has a document is taken', () => {
  const log = {
    pages: [null, {}, { id: 'empty' }, { id: 'p1' }, { id: 'p2' }],
    entries: [
      entryOf('https://a.test/beacon', 'image/gif', 'p1'),
      entryOf('https://b.test/', 'text/html; charset=utf-8', 'p2'),
      entryOf('https://b.test/i.gif', 'image/gif', 'p2'),
    ],
  };
  const { page, entries, notes } = harPage(log, null);
  assert.deepEqual(page, { id: 'p2' });
  assertEach(entries, ({ index }) => index, [1, 2]);
  assert.match(noteLines(notes)[0] ?? '', /^entries of further pages in this HAR excluded: 1;/);
  assert.deepEqual(harPage(log, 'https://a.test/beacon').page, { id: 'p1' });
  assert.equal(harPage({ ...log, pages: [] }, null).page, null);
});

test('what no web server answers is left out, and one note says so', () => {
  const { entries, notes } = harPage(
    {
      entries: [
        entryOf('data:text/html,<p>', 'text/html'),
        entryOf('blob:https://a.test/1', 'text/html'),
        entryOf('DATA:,', 'text/plain'),
        entryOf('chrome-extension://abcd/content.js', 'text/javascript'),
        entryOf('https://a.test/', 'text/html'),
      ],
    },
    null,
  );
  assertEach(entries, ({ index }) => index, [4]);
  assert.deepEqual(notes, [
    'entries excluded because no web server answers them (data:, blob:, chrome-extension:): 4',
  ]);
});
