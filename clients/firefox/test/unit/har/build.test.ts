import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { assertFields } from '../../../../../test/unit/assert-fields.ts';
import { mainDocumentOf } from '../../../../har/main-document.ts';
import { ABOUT, channel, documentChannel, entryOf, harOf, pageEvent } from './load.ts';

test('names the load, the browser and the author', () => {
  const { log } = harOf([documentChannel()]);
  assert.deepEqual(log.browser, { name: 'Firefox', version: '153.8.0' });
  assert.deepEqual(log.creator, { name: 'quic-vs-https', version: '0.1.0' });
  assert.equal(log.comment, 'a test');
  assertEach(log.pages, ({ title, comment }) => [title, comment], [
    [ABOUT.url, 'www.example.org from lsquic-h3'],
  ]);
});

test('has no page without a request', () => {
  assert.deepEqual([harOf([]).log.pages, harOf([]).log.entries], [[], []]);
});

test('rejects a load with more requests than Firefox reported', () => {
  assert.throws(
    () => harOf([documentChannel(), channel({ isCut: true })]),
    /more than 5000 requests/,
  );
});

test("takes the page's first load event after its request, not that of a frame or of about:blank, and the last DOMContentLoaded before it", () => {
  const events = [
    pageEvent('load', -5),
    pageEvent('navigationStarted', 0),
    pageEvent('navigationStarted', 20, 'frame'),
    pageEvent('load', 30, 'frame'),
    pageEvent('domContentLoaded', 35),
    pageEvent('domContentLoaded', 40),
    pageEvent('load', 90),
    pageEvent('domContentLoaded', 120),
    pageEvent('load', 150),
  ];
  const [page] = harOf([documentChannel({ openedMs: 0.5 })], events).log.pages;
  assert.equal(page?.startedDateTime, '2026-01-01T00:00:00.000Z');
  assert.deepEqual(page.pageTimings, { onContentLoad: 39.5, onLoad: 89.5 });
});

test('says which load events did not happen', () => {
  const [page] = harOf([documentChannel()], [pageEvent('navigationStarted', 0)]).log.pages;
  assert.deepEqual(page?.pageTimings, { onContentLoad: -1, onLoad: -1 });
});

test('has the requests over HTTP since that of the document, in order of their start', () => {
  const url = (name: string) => `https://www.example.org/${name}`;
  const har = harOf([
    channel({ url: url('late'), openedMs: 50 }),
    channel({ url: url('early'), openedMs: 40 }),
    documentChannel(),
    channel({ url: url('before'), openedMs: -10 }),
    channel({ url: 'moz-extension://a/b' }),
    // A redirect inside the browser, from http to https.
    channel({ url: url('upgraded'), status: 0, error: 'NS_BINDING_REDIRECTED' }),
  ]);
  assertEach(har.log.entries, ({ request }) => request.url, [ABOUT.url, url('early'), url('late')]);
});

test('has each step of a redirect, with one id', () => {
  const har = harOf([
    documentChannel({
      status: 302,
      error: 'NS_BINDING_REDIRECTED',
      responseHeaders: [['Location', '/home']],
    }),
    documentChannel({ url: `${ABOUT.url}home`, openedMs: 25, connectStartMs: 0 }),
  ]);
  const main = mainDocumentOf(har);
  assert.equal(main?.entry.request.url, `${ABOUT.url}home`);
  assert.equal(main.connectMs, 3);
  assertEach(main.redirects, ({ response }) => [response.redirectURL, response._error], [
    ['/home', undefined],
  ]);
});

test('tells connections apart that have the same local port', () => {
  const at = (address: string) => ({ localPort: 40001, address, port: 443 });
  const har = harOf([
    documentChannel(),
    channel({ connection: at('127.0.1.2') }),
    channel({ connection: at('127.0.1.2'), version: '2.0' }),
    channel({ connection: at('127.0.1.2') }),
    channel({ connection: { ...at('127.0.1.1'), localPort: 40002 } }),
    channel({ status: 0 }),
    channel({ cache: 'disk' }),
  ]);
  assertEach(har.log.entries, ({ _connectionId }) => _connectionId, [
    '40001',
    '40001-2',
    '40001-3',
    '40001-2',
    '40002',
    undefined,
    undefined,
  ]);
});

const CASES: {
  name: string;
  facts: Parameters<typeof entryOf>[0];
  entry: Parameters<typeof assertFields>[1];
}[] = [
  {
    name: 'names the server of a response from the network',
    facts: {},
    entry: { serverIPAddress: '127.0.1.1', connection: '443', _requestId: '1' },
  },
  {
    name: 'names no server of a request without a response',
    facts: { status: 0, error: 'NS_ERROR_NET_RESET' },
    entry: { serverIPAddress: undefined, connection: undefined },
  },
  {
    name: 'marks a cached response',
    facts: { cache: 'memory' },
    entry: { _fromCache: 'memory', 'response._transferSize': 0, 'response.bodySize': 0 },
  },
  {
    name: 'has the query, cookies and form of a request',
    facts: {
      method: 'POST',
      url: 'https://www.example.org/form?a=1&a=%C3%A9',
      requestHeaders: [
        ['Cookie', 'x=1; y=a=b'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      requestBody: { bytes: 9, text: 'q=1&r=2+3' },
    },
    entry: {
      'request.queryString': [
        { name: 'a', value: '1' },
        { name: 'a', value: 'é' },
      ],
      'request.cookies': [
        { name: 'x', value: '1' },
        { name: 'y', value: 'a=b' },
      ],
      'request.postData': {
        mimeType: 'application/x-www-form-urlencoded',
        text: 'q=1&r=2+3',
        params: [
          { name: 'q', value: '1' },
          { name: 'r', value: '2 3' },
        ],
      },
      'request.bodySize': 9,
      'request.headersSize': -1,
    },
  },
  {
    name: 'does not know the size of a body that Firefox cannot read again',
    facts: { method: 'POST', requestBody: { bytes: null, text: null } },
    entry: { 'request.bodySize': -1, 'request.postData': undefined },
  },
  {
    name: 'knows the size of the headers of an HTTP/1.1 request',
    facts: { version: '1.1', requestBytes: 300, requestBody: { bytes: 40, text: null } },
    entry: { 'request.headersSize': 260, 'request.httpVersion': 'http/1.1' },
  },
  {
    name: 'takes a frame for a document',
    facts: { purpose: 'SUBDOCUMENT' },
    entry: { _resourceType: 'document', '_initiator.type': 'parser' },
  },
  {
    name: 'tells requests of an EventSource from those of an XMLHttpRequest',
    facts: { purpose: 'XMLHTTPREQUEST', innerPurpose: 'INTERNAL_EVENTSOURCE' },
    entry: { _resourceType: 'eventsource', '_initiator.type': 'script' },
  },
  {
    name: 'knows a preflight by its header',
    facts: {
      method: 'OPTIONS',
      purpose: 'FETCH',
      requestHeaders: [['Access-Control-Request-Method', 'PUT']],
    },
    entry: { _resourceType: 'preflight', '_initiator.type': 'preflight' },
  },
  {
    name: 'has a request of unknown purpose',
    facts: { purpose: 'NEW_PURPOSE', initiatorUrl: '' },
    entry: { _resourceType: 'other', _initiator: { type: 'other' } },
  },
  {
    name: 'reads the priority from the urgency that was sent',
    facts: { requestHeaders: [['Priority', 'u=4, i']] },
    entry: { _priority: 'VeryLow' },
  },
  {
    name: 'has the default priority without an urgency',
    facts: {},
    entry: { _priority: 'Low' },
  },
  {
    name: "names QUIC and groups in Chromium's words",
    facts: { tls: { version: 4, cipher: 'TLS_AES_128_GCM_SHA256', group: 'mlkem768x25519' } },
    entry: {
      '_securityDetails.protocol': 'QUIC',
      '_securityDetails.cipher': 'AES_128_GCM',
      '_securityDetails.keyExchangeGroup': 'X25519MLKEM768',
    },
  },
  {
    name: 'names an older TLS and its cipher',
    facts: {
      version: '2.0',
      tls: { version: 3, cipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', group: 'P256' },
    },
    entry: {
      '_securityDetails.protocol': 'TLS 1.2',
      '_securityDetails.cipher': 'AES_128_GCM',
      '_securityDetails.keyExchangeGroup': 'P-256',
    },
  },
];

for (const { name, facts, entry } of CASES) {
  test(name, () => assertFields(entryOf(facts), entry));
}
