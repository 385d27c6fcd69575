import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { assertFields } from '../../../../../test/unit/assert-fields.ts';
import { buildHar } from '../../../har/build.ts';
import type { CdpEvent } from '../../../har/events.ts';
import {
  ABOUT,
  atS,
  dataEvent,
  documentLoaded,
  failedEvent,
  finishedEvent,
  receivedHeaders,
  repaired,
  requestEvent,
  responseEvent,
  responseOf,
  sentHeaders,
  unrepaired,
} from './load.ts';

const URL_A = 'https://www.example.org/a';
const EXTRA = { hasExtraInfo: true };
const REQUESTED = requested();
const FINISHED = finishedEvent('A', 50);
const RESPONDED = [REQUESTED, answeredA(), FINISHED];

function requested(request = {}, more = {}) {
  return requestEvent({ requestId: 'A', url: URL_A, ms: 30, request, ...more });
}

function answeredA(response = {}, more = {}) {
  return responseEvent('A', 46, responseOf(URL_A, 30, response), more);
}

/** A request that chrome-har omits. */
const MISSING = { length: 1 };
const DNS = { dnsStart: -1, dnsEnd: -1 };
const NOT_CONNECTED = { ...DNS, connectStart: -1, connectEnd: -1, sslStart: -1, sslEnd: -1 };
const PHASES = { dns: 1, connect: 3, ssl: 3, send: 0.25 };
const NO_PHASES = { dns: -1, connect: -1, ssl: -1 };
const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

interface Case {
  name: string;
  events: CdpEvent[];
  /** Fields of the entries by chrome-har alone: where the repair is needed. */
  defect?: Record<string, unknown>;
  /** Fields of the repaired entry. */
  entry: Record<string, unknown>;
}

const CASES: Case[] = [
  {
    name: 'sizes the content by the decoded body',
    events: [REQUESTED, answeredA(), dataEvent('A', 20), dataEvent('A', 2), FINISHED],
    entry: { 'response.content.size': 22 },
  },
  {
    name: 'takes request headers from the wire, each once',
    events: [
      requested({ headers: { Accept: '*/*' } }),
      sentHeaders('A', { ':path': '/a', accept: '*/*', cookie: 'a=1; b=2' }),
      answeredA({}, EXTRA),
      FINISHED,
    ],
    defect: { '1.request.headers.length': 4 },
    entry: {
      'request.headers': [
        { name: ':path', value: '/a' },
        { name: 'accept', value: '*/*' },
        { name: 'cookie', value: 'a=1; b=2' },
      ],
      'request.cookies.length': 2,
      'request.cookies.0.name': 'a',
      'request.cookies.0.value': '1',
      'request.cookies.1.name': 'b',
      'request.cookies.1.value': '2',
    },
  },
  {
    name: 'keeps request headers reported before the request',
    events: [sentHeaders('A', { 'x-on-the-wire': '1' }), REQUESTED, answeredA({}, EXTRA), FINISHED],
    defect: { '1.request.headers': [{ name: 'accept', value: '*/*' }] },
    entry: { 'request.headers': [{ name: 'x-on-the-wire', value: '1' }] },
  },
  {
    name: 'replaces headers by those of a repeat on a new connection',
    events: [
      REQUESTED,
      sentHeaders('A', { attempt: '1' }),
      sentHeaders('A', { attempt: '2' }),
      answeredA({}, EXTRA),
      FINISHED,
    ],
    entry: { 'request.headers': [{ name: 'attempt', value: '2' }] },
  },
  {
    name: 'keeps the text of a posted JSON and counts it in bytes',
    events: [
      requested({
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        postData: '{"q":"é","n":[1,2]}',
      }),
      answeredA(),
      FINISHED,
    ],
    defect: { '1.request.postData.text': undefined, '1.request.bodySize': 19 },
    entry: {
      'request.postData': { mimeType: 'application/json', text: '{"q":"é","n":[1,2]}' },
      'request.bodySize': 20,
    },
  },
  {
    name: 'keeps the text of a posted form next to its fields',
    events: [
      requested({ method: 'POST', headers: { 'content-type': FORM }, postData: 'a=1&b=x+y' }),
      answeredA(),
      FINISHED,
    ],
    defect: { '1.request.postData.text': undefined },
    entry: {
      'request.postData': {
        mimeType: FORM,
        text: 'a=1&b=x+y',
        params: [
          { name: 'a', value: '1' },
          { name: 'b', value: 'x y' },
        ],
      },
    },
  },
  {
    name: 'keeps the data of a beacon without a content type and a response body',
    events: [
      requested(
        {
          method: 'POST',
          headers: {},
          hasPostData: true,
          postDataEntries: [{ bytes: Buffer.from('beacon').toString('base64') }],
        },
        { type: 'Ping' },
      ),
      answeredA({ status: 204, mimeType: '' }),
      finishedEvent('A', 50, 11),
    ],
    defect: { '1.request.postData': undefined },
    entry: {
      'request.postData': { mimeType: 'application/octet-stream', text: 'beacon' },
      'request.bodySize': 6,
      _resourceType: 'ping',
      'response.bodySize': 0,
      'response.content.mimeType': 'x-unknown',
    },
  },
  {
    name: 'leaves the size of a missing body unknown, not zero',
    events: [requested({ method: 'POST', hasPostData: true }), answeredA(), FINISHED],
    defect: { '1.request.bodySize': 0 },
    entry: { 'request.bodySize': -1 },
  },
  {
    name: 'writes a failed request with status 0, its error and the time until then',
    events: [REQUESTED, failedEvent('A', 42)],
    defect: MISSING,
    entry: {
      'response.status': 0,
      'response._error': 'net::ERR_NAME_NOT_RESOLVED',
      'response.httpVersion': 'unknown',
      time: 12,
      'timings.blocked': 12,
      connection: undefined,
      _connectionId: undefined,
      startedDateTime: '2026-01-01T00:00:00.030Z',
    },
  },
  {
    name: 'writes an aborted request with its error',
    events: [REQUESTED, failedEvent('A', 42, { errorText: 'net::ERR_ABORTED', canceled: true })],
    defect: MISSING,
    entry: { 'response._error': 'net::ERR_ABORTED' },
  },
  {
    name: 'writes a response that the page may not read as a failure with the reason',
    events: [
      REQUESTED,
      receivedHeaders('A', { 'content-type': 'font/woff2' }),
      failedEvent('A', 42, {
        errorText: 'net::ERR_FAILED',
        corsErrorStatus: { corsError: 'MissingAllowOriginHeader', failedParameter: '' },
      }),
    ],
    defect: MISSING,
    entry: {
      'response.status': 0,
      'response._error': 'net::ERR_FAILED (MissingAllowOriginHeader)',
      'response.headers': [{ name: 'content-type', value: 'font/woff2' }],
    },
  },
  {
    name: 'keeps the status and the received bytes of a broken response, with an error',
    events: [
      REQUESTED,
      answeredA({ headers: { 'content-length': '9000' } }),
      dataEvent('A', 700, 720),
      failedEvent('A', 60, { errorText: 'net::ERR_CONNECTION_RESET' }),
    ],
    defect: MISSING,
    entry: {
      'response.status': 200,
      'response._error': 'net::ERR_CONNECTION_RESET',
      'response._transferSize': 770,
      'response.bodySize': -1,
      'response.content.size': 700,
      time: 30,
    },
  },
  {
    name: 'marks a request without a response at the end of the capture',
    events: [REQUESTED, { method: 'Page.loadEventFired', params: { timestamp: atS(90) } }],
    defect: MISSING,
    entry: { 'response._error': 'no response when the capture ended', time: 60 },
  },
  {
    name: 'writes an unfinished response at the end of the capture with an error',
    events: [REQUESTED, answeredA(), dataEvent('A', 5)],
    entry: { 'response._error': 'not complete when the capture ended' },
  },
  {
    name: 'completes a response whose announced body has arrived, even without an event',
    events: [REQUESTED, answeredA({ headers: { 'content-length': '700' } }), dataEvent('A', 700)],
    entry: { 'response._error': undefined, 'response.bodySize': 700 },
  },
  {
    name: 'writes the port as connection, and the connection as _connectionId',
    events: RESPONDED,
    defect: { '1.connection': '37' },
    entry: { connection: '40001', _connectionId: '37', serverIPAddress: '127.0.1.1' },
  },
  {
    name: 'adds phases up to the elapsed time of an entry, with ssl counted in connect',
    events: [requested({}, { ms: 28 }), answeredA(), FINISHED],
    // chrome-har loses the time between the phases.
    defect: { '1.time': 19 },
    entry: {
      timings: { ...PHASES, blocked: 1, wait: 10, receive: 4.75, _queued: 2 },
      time: 20,
    },
  },
  {
    name: 'writes -1 for phases that did not take place',
    events: [
      REQUESTED,
      answeredA({
        timing: {
          requestTime: atS(30),
          ...NOT_CONNECTED,
          sendStart: 2,
          sendEnd: 2.5,
          receiveHeadersEnd: 8,
        },
      }),
      finishedEvent('A', 40),
    ],
    entry: {
      timings: { ...NO_PHASES, blocked: 2, send: 0.5, wait: 5.5, receive: 2 },
      time: 10,
    },
  },
  {
    name: 'writes numeric times of a response without timing',
    events: [REQUESTED, answeredA({ timing: undefined }), FINISHED],
    defect: { '1.time': Number.NaN },
    entry: { 'timings.wait': 16, 'timings.receive': 4, time: 20 },
  },
  {
    name: 'excludes headers and framing from the body size in h2 and h3',
    events: [
      REQUESTED,
      answeredA({ headers: { 'content-length': '700', 'content-encoding': 'gzip' } }),
      dataEvent('A', 4187),
      finishedEvent('A', 50, 804),
    ],
    defect: { '1.response.bodySize': 804 },
    entry: {
      'response.bodySize': 700,
      'response.headersSize': -1,
      'response._transferSize': 804,
      'response.content.compression': 3487,
    },
  },
  {
    name: 'sizes a preflight by its response, as its end has no size',
    events: [
      requested(
        { method: 'OPTIONS' },
        { type: 'Other', initiator: { type: 'preflight', requestId: 'B' } },
      ),
      answeredA({ status: 204, encodedDataLength: 84 }),
      finishedEvent('A', 50, 0),
    ],
    defect: { '1.response._transferSize': 0, '1._resourceType': 'other' },
    entry: {
      'response._transferSize': 84,
      _resourceType: 'preflight',
      _initiator: { type: 'preflight', requestId: 'B' },
    },
  },
  {
    name: 'keeps the last priority next to the first one',
    events: [
      REQUESTED,
      {
        method: 'Network.resourceChangedPriority',
        params: { requestId: 'A', newPriority: 'High' },
      },
      answeredA(),
      FINISHED,
    ],
    entry: { _priority: 'High', _initialPriority: 'Low' },
  },
  {
    name: 'keeps and marks a response from a cache, with nothing on the wire',
    events: [
      REQUESTED,
      { method: 'Network.requestServedFromCache', params: { requestId: 'A' } },
      answeredA({ timing: undefined }),
      finishedEvent('A', 50, 0),
    ],
    defect: MISSING,
    entry: { _fromCache: 'memory', 'response._transferSize': 0, cache: {} },
  },
  {
    name: 'keeps and marks a response from the cache on disk',
    events: [REQUESTED, answeredA({ fromDiskCache: true }), finishedEvent('A', 50, 0)],
    defect: MISSING,
    entry: { _fromCache: 'disk' },
  },
];

for (const { name, events, defect, entry } of CASES) {
  test(name, () => {
    if (defect) assertFields(unrepaired(events), defect);
    assertFields(repaired(URL_A, events), entry);
  });
}

test('gives each step of a redirect its own headers, status and port', () => {
  const b = 'https://www.example.org/b';
  const c = 'https://cdn.example.org/c';
  const step = (url: string, ms: number, status: number) =>
    responseOf(url, ms, { status, headers: {}, remotePort: 40000 + status });
  const again = { redirectHasExtraInfo: true };
  const events = [
    REQUESTED,
    sentHeaders('A', { step: 'a' }),
    requestEvent({
      requestId: 'A',
      url: b,
      ms: 46,
      ...again,
      redirectResponse: step(URL_A, 30, 301),
    }),
    receivedHeaders('A', { location: '/b', 'x-step': 'a' }),
    sentHeaders('A', { step: 'b' }),
    receivedHeaders('A', { location: c, 'x-step': 'b' }),
    requestEvent({ requestId: 'A', url: c, ms: 62, ...again, redirectResponse: step(b, 46, 302) }),
    sentHeaders('A', { step: 'c' }),
    responseEvent('A', 78, step(c, 62, 200), EXTRA),
    receivedHeaders('A', { 'x-step': 'c' }),
    dataEvent('A', 7),
    finishedEvent('A', 80),
  ];
  const mixed = unrepaired(events).at(-1).response;
  assert.equal(mixed.status, 200);
  assert.deepEqual(
    unrepaired(events.toSpliced(9, 1)).at(-1).response.headers,
    [
      { name: 'location', value: '/b' },
      { name: 'x-step', value: 'a' },
    ],
    'chrome-har gives the first step to the last response',
  );
  const { entries } = buildHar([...documentLoaded(), ...events], ABOUT).log;
  assert.deepEqual(
    entries
      .slice(1)
      .map(({ request, response, connection, _requestId }) => [
        request.url,
        ...request.headers.map(({ value }) => value),
        response.status,
        response.redirectURL,
        response.headers.find(({ name }) => name === 'x-step')?.value,
        connection,
        _requestId,
      ]),
    [
      [URL_A, 'a', 301, '/b', 'a', '40301', 'A'],
      [b, 'b', 302, c, 'b', '40302', 'A'],
      [c, 'c', 200, '', 'c', '40200', 'A'],
    ],
  );
});

test('counts no received bytes of a redirect after its headers', () => {
  const next = 'https://www.example.org/next';
  const { time, timings } = repaired(URL_A, [
    REQUESTED,
    requestEvent({ requestId: 'A', url: next, ms: 90, redirectResponse: responseOf(URL_A, 30) }),
  ]);
  assert.equal(timings.receive, 0);
  assert.equal(time, 15.25);
});

test('gives a step inside the browser no wire headers, and none from the next step', () => {
  const http = 'http://www.example.org/a';
  const events = [
    requestEvent({ requestId: 'A', url: http, ms: 30 }),
    requestEvent({
      requestId: 'A',
      url: URL_A,
      ms: 31,
      redirectHasExtraInfo: false,
      redirectResponse: responseOf(http, 30, { status: 307, headers: { location: URL_A } }),
    }),
    sentHeaders('A', { step: 'wire' }),
    receivedHeaders('A', { 'x-step': 'wire' }),
    answeredA({}, EXTRA),
    FINISHED,
  ];
  assert.equal(repaired(http, events).request.headers[0]?.name, 'accept');
  assert.equal(repaired(http, events).response.redirectURL, URL_A);
  assert.equal(repaired(URL_A, events).request.headers[0]?.value, 'wire');
});

test('reads response cookies from the wire headers, one header for each', () => {
  const cookies = 'a=1; Secure; HttpOnly; Path=/x\nb=2; Expires=Fri, 01 Jan 2027 00:00:00 GMT';
  const events = [
    REQUESTED,
    answeredA({}, EXTRA),
    receivedHeaders('A', { 'set-cookie': cookies }),
    FINISHED,
  ];
  const raw = unrepaired(events)[1].response;
  assertFields(raw, { cookies: [], 'headers.length': 1 });
  const { response } = repaired(URL_A, events);
  assert.deepEqual(JSON.parse(JSON.stringify(response.cookies)), [
    { name: 'a', value: '1', path: '/x', httpOnly: true, secure: true },
    { name: 'b', value: '2', expires: '2027-01-01T00:00:00.000Z', httpOnly: false, secure: false },
  ]);
  assertEach(response.headers, ({ name }) => name, ['set-cookie', 'set-cookie']);
});

test('sets no receive time for a response that ends before its headers, as Chromium can report', () => {
  const events = [REQUESTED, answeredA(), finishedEvent('A', 45)];
  assert.ok(unrepaired(events)[1].timings.receive < 0);
  assert.equal(repaired(URL_A, events).timings.receive, 0);
});

test('sizes a body without a length by its decoded bytes, or as unknown if it was encoded', () => {
  const bodySize = (headers: object) =>
    repaired(URL_A, [
      REQUESTED,
      answeredA({ headers }),
      dataEvent('A', 900),
      finishedEvent('A', 50, 804),
    ]).response.bodySize;
  assert.equal(bodySize({}), 900);
  assert.equal(bodySize({ 'Content-Encoding': 'br' }), -1);
});

test('sizes HTTP/1.1 headers by the headers that were sent', () => {
  const headersText = 'HTTP/1.1 200 OK\r\nx-a:1\r\n\r\n';
  const events = [
    requestEvent({ requestId: 'A', url: 'https://www.example.org/a?b', ms: 30 }),
    sentHeaders('A', { Host: 'www.example.org' }),
    answeredA(
      { protocol: 'http/1.1', statusText: 'OK', encodedDataLength: headersText.length },
      EXTRA,
    ),
    receivedHeaders('A', { 'x-a': '1' }, { headersText }),
    dataEvent('A', 10),
    finishedEvent('A', 50, headersText.length + 10),
  ];
  const raw = unrepaired(events)[1];
  assert.notEqual(raw.response.headersSize, headersText.length);
  const { request, response } = repaired('https://www.example.org/a?b', events);
  assert.equal(request.headersSize, 'GET /a?b HTTP/1.1\r\nHost: www.example.org\r\n\r\n'.length);
  assert.notEqual(raw.request.headersSize, request.headersSize);
  assertFields(response, { headersSize: headersText.length, bodySize: 10 });
});

test('keeps the requested URL and the order of its query', () => {
  const url = 'https://www.example.org/a|b?x=1|2&y={3}&x=^4';
  const events = [
    requestEvent({ requestId: 'A', url, ms: 30, request: { urlFragment: '#top' } }),
    answeredA(),
    FINISHED,
  ];
  assert.notEqual(unrepaired(events)[1].request.url, `${url}#top`);
  const { request } = repaired(`${url}#top`, events);
  assert.deepEqual(
    request.queryString.map(({ name, value }) => `${name}=${value}`),
    ['x=1|2', 'y={3}', 'x=^4'],
  );
});

test('keeps the initiator as the object that the DevTools read', () => {
  assert.equal(typeof unrepaired(RESPONDED)[1]._initiator, 'string');
  assert.deepEqual(repaired(URL_A, RESPONDED)._initiator, {
    type: 'parser',
    url: ABOUT.url,
    lineNumber: 4,
  });
});

test('keeps the TLS or QUIC of a response', () => {
  assert.equal(unrepaired([])[0]._securityDetails, undefined);
  assert.deepEqual(repaired(ABOUT.url, [])._securityDetails, {
    protocol: 'QUIC',
    cipher: 'AES_128_GCM',
    keyExchange: '',
    keyExchangeGroup: 'X25519',
  });
});

test('writes the same protocol in request and response', () => {
  for (const protocol of ['h3', 'h2', 'http/1.1']) {
    const { request, response } = repaired(URL_A, [REQUESTED, answeredA({ protocol }), FINISHED]);
    assert.equal(request.httpVersion, protocol);
    assert.equal(response.httpVersion, protocol);
  }
});

test('gives every extension of the format an underscore', () => {
  assert.ok('fromDiskCache' in unrepaired(RESPONDED)[1].response);
  const own = Object.keys(repaired(URL_A, RESPONDED).response).filter(
    (key) => !key.startsWith('_'),
  );
  assert.equal(
    own.join(' '),
    'status statusText httpVersion cookies headers content redirectURL headersSize bodySize',
  );
});

test('writes a confirmed cache copy with status 304, no body, and the content of the copy', () => {
  const loaded = (statusCode: number) => {
    const events = [
      REQUESTED,
      receivedHeaders('A', { 'content-length': '900' }, { statusCode }),
      answeredA({}, EXTRA),
      dataEvent('A', 900),
      finishedEvent('A', 50, 40),
    ];
    assert.equal(unrepaired(events)[1].response.status, 200);
    return repaired(URL_A, events).response;
  };
  const still = loaded(304);
  assertFields(still, { status: 304, bodySize: 0, content: { size: 900, mimeType: 'text/plain' } });
  const anew = loaded(200);
  assertFields(anew, { status: 200, bodySize: 900 });
});
