import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { buildHar } from '../../../har/build.ts';
import {
  ABOUT,
  atS,
  DOCUMENT,
  dataEvent,
  documentLoaded,
  entryOf,
  failedEvent,
  finishedEvent,
  requestEvent,
  responseEvent,
  responseOf,
  START,
} from './load.ts';

const LOADED = [
  { method: 'Page.domContentEventFired', params: { timestamp: atS(40) } },
  { method: 'Page.loadEventFired', params: { timestamp: atS(90.5) } },
];

test('names the load, the browser and the author', () => {
  const { log } = buildHar([...documentLoaded(), ...LOADED], ABOUT);
  assert.equal(log.version, '1.2');
  assert.equal(log.comment, 'a test');
  assert.deepEqual(log.browser, { name: 'Chromium', version: '156.0.0.0' });
  assert.equal(log.creator.name, 'quic-vs-https');
  assert.equal(log.creator.version, '0.1.0');
  assert.match(log.creator.comment ?? '', /^made with chrome-har \d/);
});

test('has one page with the requested URL, its start and load times, and every entry', () => {
  const { log } = buildHar([...documentLoaded(), ...LOADED], ABOUT);
  assert.deepEqual(log.pages, [
    {
      id: 'page_1',
      startedDateTime: START,
      title: ABOUT.url,
      pageTimings: { onContentLoad: 40, onLoad: 90.5 },
      comment: 'www.example.org from lsquic-h3',
    },
  ]);
  assertEach(log.entries, ({ pageref }) => pageref, ['page_1']);
});

test('uses the requested URL as title, which the events have without its fragment', () => {
  const { log } = buildHar(documentLoaded(), { ...ABOUT, url: `${ABOUT.url}#top` });
  assert.equal(log.pages[0]?.title, 'https://www.example.org/#top');
});

test('has one page whether Chromium reports frames before, after or never', () => {
  const frames = ['F1', 'F2'].map((frameId) => ({
    method: 'Page.frameStartedLoading',
    params: { frameId },
  }));
  const loads = [
    [...frames, ...documentLoaded(), ...LOADED],
    [...documentLoaded(), ...frames, ...LOADED],
    [...documentLoaded(), ...LOADED],
  ];
  for (const events of loads) {
    const { log } = buildHar(events, ABOUT);
    assert.equal(log.pages.length, 1);
    assert.equal(log.pages[0]?.pageTimings.onLoad, 90.5);
    assert.equal(log.entries.length, 1);
  }
});

test('ignores load events of the empty page before', () => {
  const before = [{ method: 'Page.loadEventFired', params: { timestamp: atS(-10) } }];
  const { log } = buildHar([...before, ...documentLoaded()], ABOUT);
  assert.deepEqual(log.pages[0]?.pageTimings, { onContentLoad: -1, onLoad: -1 });
});

test('reports a page that was never reached with a failed entry', () => {
  const { log } = buildHar([requestEvent(DOCUMENT), failedEvent('D1', 5)], ABOUT);
  assert.equal(log.pages.length, 1);
  assert.equal(log.entries[0]?.response.status, 0);
});

test('has no entries without a request', () => {
  assert.deepEqual(buildHar([], ABOUT).log.entries, []);
});

test('orders entries by their start', () => {
  const urls = ['b', 'c', 'a'].map((name) => `https://www.example.org/${name}`);
  const startMs = [60, 70, 40];
  const { log } = buildHar(
    [
      ...documentLoaded(),
      ...urls.map((url, index) => requestEvent({ requestId: url, url, ms: 30 + index })),
      ...urls.map((url, index) => responseEvent(url, 90, responseOf(url, startMs[index] ?? 0))),
      ...urls.map((url) => finishedEvent(url, 99)),
    ],
    ABOUT,
  );
  assertEach(log.entries, ({ request }) => new URL(request.url).pathname, ['/', '/a', '/b', '/c']);
  const starts = log.entries.map(({ startedDateTime }) => startedDateTime);
  assert.deepEqual(starts, starts.toSorted());
});

test('includes only requests over http', () => {
  const urls = ['data:text/plain,a', 'blob:https://www.example.org/1', 'about:blank', 'ws://a/'];
  const { log } = buildHar(
    [
      ...documentLoaded(),
      ...urls.flatMap((url) => [
        requestEvent({ requestId: url, url, ms: 30 }),
        responseEvent(url, 35, responseOf(url, 30)),
        finishedEvent(url, 40),
      ]),
    ],
    ABOUT,
  );
  assert.equal(log.entries.length, 1);
});

test('merges a request that two sessions report into one entry', () => {
  const url = 'https://www.example.org/frame';
  const frame = requestEvent({ requestId: 'A', url, ms: 30, type: 'Document' });
  const { log } = buildHar(
    [
      ...documentLoaded(),
      frame,
      frame,
      responseEvent('A', 46, responseOf(url, 30)),
      finishedEvent('A', 50),
      finishedEvent('A', 50),
    ],
    ABOUT,
  );
  assert.equal(log.entries.length, 2);
});

test('keeps bytes and end of a document that a style sheet transforms, and ends the style sheet', () => {
  const url = `${ABOUT.url}style.xsl`;
  const xsl = { requestId: 'S1', url, type: 'Stylesheet', loaderId: 'D1' };
  const events = [
    requestEvent({ ...DOCUMENT, loaderId: 'D1' }),
    responseEvent('D1', 14, responseOf(ABOUT.url, 0)),
    dataEvent('D1', 91),
    requestEvent({ ...xsl, ms: 15 }),
    finishedEvent('D1', 16, 141),
    responseEvent('S1', 15, responseOf(url, 0, { headers: { 'content-encoding': 'gzip' } })),
    dataEvent('S1', 275, 100),
    // The document after the transformation.
    dataEvent('D1', 64),
    finishedEvent('D1', 30, 64),
    { method: 'Page.loadEventFired', params: { timestamp: atS(5000) } },
  ];
  const har = buildHar(events, ABOUT);
  const [document, styleSheet] = [entryOf(har, ABOUT.url), entryOf(har, url)];
  assert.deepEqual([document.response.content.size, document.response._transferSize], [91, 141]);
  assert.equal(document.time, 16);
  assert.deepEqual(
    [styleSheet.response._error, styleSheet.response._transferSize, styleSheet.time],
    [undefined, 150, 16],
  );
  const unchanged = buildHar(
    events.filter((_, index) => index !== 7),
    ABOUT,
  );
  assert.match(entryOf(unchanged, url).response._error ?? '', /^not complete/);
});

test('does not change the events', () => {
  const events = [...documentLoaded(), ...LOADED];
  const before = structuredClone(events);
  buildHar(events, ABOUT);
  assert.deepEqual(events, before);
});
