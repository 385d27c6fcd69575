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
const requestedBy = (url: string) => ({ requestHeaders: [['Referer', url]] as [string, string][] });
const FRAME = pageAt('https://ads.test/frame', requestedBy('https://www.a.test/'));
const PAGE = pageAt('https://www.a.test/');

const entryOf = (url: string, mimeType: string, pageref?: string) => ({
  request: { url },
  response: { status: 200, content: { mimeType } },
  ...(pageref === undefined ? {} : { pageref }),
});

test('takes the page that the HAR names, in any field, before any frame', () => {
  const names = [
    { _url: 'https://www.a.test/' },
    { _URL: 'http://www.a.test' },
    { title: 'https://www.a.test/#top' },
    { title: 'Run 1, First View for https://www.a.test/' },
  ];
  const unrequested = { ...FRAME, requestHeaders: [] };
  for (const page of names) {
    assert.equal(documentOf([unrequested, PAGE], [{}, {}], page), PAGE.url, JSON.stringify(page));
  }
  for (const mark of ['_is_base_page', '_final_base_page']) {
    assert.equal(documentOf([unrequested, PAGE], [{}, { [mark]: true }], null), PAGE.url);
  }
});

test('ignores a title that names no recorded URL', () => {
  assert.equal(documentOf([PAGE], [{}], { title: 'See https://www.b.test/' }), PAGE.url);
  assert.equal(documentOf([PAGE], [{}], { title: 'A title' }), PAGE.url);
});

test('takes what no page requested as the page, in any order', () => {
  assert.equal(documentOf([FRAME, PAGE], [{}, {}], null), PAGE.url);
  const typed = [{ ...FRAME, type: 'iframe' as const }, pageAt(PAGE.url, { type: 'document' })];
  assert.equal(documentOf(typed, [{}, {}], null), PAGE.url);
});

test('does not take a failure or an error page for the document if there is another', () => {
  const blocked = pageAt('https://ads.test/', { type: 'document', failure: 'net::ERR_ABORTED' });
  assert.equal(documentOf([blocked, PAGE], [{}, {}], null), PAGE.url);
  assert.equal(
    documentOf([pageAt('https://a.test/', { status: 404, type: 'document' })], [{}], null),
    'https://a.test/',
  );
  const failed = pageAt('https://www.a.test/', { status: 511 });
  const script = exampleExchange('https://www.a.test/a.js');
  assert.equal(documentOf([failed, script], [{}, {}], null), failed.url);
  // A page's own requests are no page, with any result.
  assert.equal(documentOf([script, failed], [{}, {}], null), null);
  assert.equal(documentOf([], [], null), null);
});

test('begins a navigation with the first redirect, not with a script that caused it', () => {
  const redirect = exampleExchange('https://a.test/', {
    status: 301,
    headers: [['location', 'https://www.a.test/']],
    initiator: 0,
  });
  const before = pageAt('https://b.test/');
  const exchanges = [before, redirect, { ...PAGE, initiator: 1 }];
  assert.equal(documentOf(exchanges, [{}, {}, {}], { title: PAGE.url }), 'https://a.test/');
});

test('takes the first of several pages that has a document', () => {
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

test('excludes requests that reached no web server, with one note', () => {
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
