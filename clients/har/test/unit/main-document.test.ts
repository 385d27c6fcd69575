import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { buildHar } from '../../../chromium/har/build.ts';
import {
  ABOUT,
  atS,
  DOCUMENT,
  documentLoaded,
  finishedEvent,
  requestEvent,
  responseEvent,
  responseOf,
} from '../../../chromium/test/unit/har/load.ts';
import { mainDocumentOf } from '../../main-document.ts';

test('takes the first document, not that of a frame, as the main document', () => {
  const frame = 'https://www.example.org/frame';
  const har = buildHar(
    [
      ...documentLoaded(),
      requestEvent({ requestId: 'A', url: frame, ms: 30, type: 'Document' }),
      responseEvent('A', 40, responseOf(frame, 30)),
      finishedEvent('A', 41),
    ],
    ABOUT,
  );
  const main = mainDocumentOf(har);
  assert.equal(main?.entry.request.url, ABOUT.url);
  assert.equal(main?.entry.time, 20);
  assert.equal(main?.entry.timings.wait, 10);
  assert.equal(main?.connectMs, 3);
  assert.deepEqual(main?.redirects, []);
});

test('takes the target of the redirects as the main document, over the connection of the first', () => {
  const home = 'https://www.example.org/home';
  const reused = {
    timing: {
      requestTime: atS(20),
      dnsStart: -1,
      connectStart: -1,
      sslStart: -1,
      sendStart: 0,
      sendEnd: 0.5,
      receiveHeadersEnd: 5,
    },
  };
  const har = buildHar(
    [
      requestEvent(DOCUMENT),
      requestEvent({
        ...DOCUMENT,
        url: home,
        ms: 18,
        redirectResponse: responseOf(ABOUT.url, 0, { status: 302, headers: { location: '/home' } }),
      }),
      responseEvent('D1', 26, responseOf(home, 20, reused)),
      finishedEvent('D1', 30),
    ],
    ABOUT,
  );
  const main = mainDocumentOf(har);
  assert.equal(main?.entry.request.url, home);
  assert.equal(main?.entry.time, 10);
  assert.equal(main?.entry.timings.connect, -1);
  assert.equal(main?.connectMs, 3);
  assertEach(main?.redirects, ({ request }) => request.url, [ABOUT.url]);
});

test('begins the page with a redirect that Chromium made up, without counting it as a response', () => {
  const internal = { status: 307, statusText: 'Internal Redirect', protocol: 'http/1.1' };
  const har = buildHar(
    [
      requestEvent(DOCUMENT),
      requestEvent({
        ...DOCUMENT,
        ms: 18,
        redirectHasExtraInfo: false,
        redirectResponse: responseOf(ABOUT.url, 0, internal),
      }),
      responseEvent('D1', 36, responseOf(ABOUT.url, 20)),
      finishedEvent('D1', 40),
    ],
    ABOUT,
  );
  const [entry, ...rest] = har.log.entries;
  assert.deepEqual([entry?.response.status, entry?._restarted, rest], [200, true, []]);
  const startedMs = Date.parse(har.log.pages[0]?.startedDateTime ?? '');
  assert.equal(Date.parse(entry?.startedDateTime ?? '') - startedMs + (entry?.time ?? 0), 40);
});

test('shows no time for a connection made before the document was requested', () => {
  const har = buildHar(
    documentLoaded({
      timing: {
        requestTime: atS(0),
        dnsStart: -1,
        connectStart: -1,
        sslStart: -1,
        sendStart: 0,
        sendEnd: 1,
        receiveHeadersEnd: 5,
      },
    }),
    ABOUT,
  );
  assert.equal(mainDocumentOf(har)?.connectMs, null);
});

test('has no main document in a load without a document', () => {
  assert.equal(mainDocumentOf(buildHar([], ABOUT)), null);
});
