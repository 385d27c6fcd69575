import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildHar } from '../../../har/build.ts';
import {
  ABOUT,
  answered,
  asked,
  atS,
  data,
  documentLoaded,
  failed,
  finished,
  receivedHeaders,
  repaired,
  responseOf,
  sentHeaders,
  unrepaired,
} from './load.ts';

const URL_A = 'https://www.example.org/a';
const EXTRA = { hasExtraInfo: true };

function answeredA(response = {}, more = {}) {
  return answered('A', 46, responseOf(URL_A, 30, response), more);
}

test('the size of the content is that of the decoded body', () => {
  const { content } = repaired(URL_A, [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA(),
    data('A', 20),
    data('A', 2),
    finished('A', 50),
  ]).response;
  assert.equal(content.size, 22);
});

test('request headers are those of the wire and stand once', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30, request: { headers: { Accept: '*/*' } } }),
    sentHeaders('A', { ':path': '/a', accept: '*/*', cookie: 'a=1; b=2' }),
    answeredA({}, EXTRA),
    finished('A', 50),
  ];
  assert.equal(unrepaired(events)[1].request.headers.length, 4);
  const { request } = repaired(URL_A, events);
  assert.deepEqual(request.headers, [
    { name: ':path', value: '/a' },
    { name: 'accept', value: '*/*' },
    { name: 'cookie', value: 'a=1; b=2' },
  ]);
  assert.deepEqual(
    request.cookies.map(({ name, value }) => [name, value]),
    [
      ['a', '1'],
      ['b', '2'],
    ],
  );
});

test('request headers are not lost when they are told before the request', () => {
  const events = [
    sentHeaders('A', { 'x-on-the-wire': '1' }),
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({}, EXTRA),
    finished('A', 50),
  ];
  const lost = unrepaired(events)[1].request.headers;
  assert.deepEqual(lost, [{ name: 'accept', value: '*/*' }]);
  assert.deepEqual(repaired(URL_A, events).request.headers, [
    { name: 'x-on-the-wire', value: '1' },
  ]);
});

test('each step of a redirect has its own headers, status and port', () => {
  const b = 'https://www.example.org/b';
  const c = 'https://cdn.example.org/c';
  const step = (url: string, ms: number, status: number) =>
    responseOf(url, ms, { status, headers: {}, remotePort: 40000 + status });
  const again = { redirectHasExtraInfo: true };
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    sentHeaders('A', { step: 'a' }),
    asked({ requestId: 'A', url: b, ms: 46, ...again, redirectResponse: step(URL_A, 30, 301) }),
    receivedHeaders('A', { location: '/b', 'x-step': 'a' }),
    sentHeaders('A', { step: 'b' }),
    receivedHeaders('A', { location: c, 'x-step': 'b' }),
    asked({ requestId: 'A', url: c, ms: 62, ...again, redirectResponse: step(b, 46, 302) }),
    sentHeaders('A', { step: 'c' }),
    answered('A', 78, step(c, 62, 200), EXTRA),
    receivedHeaders('A', { 'x-step': 'c' }),
    data('A', 7),
    finished('A', 80),
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
    entries.slice(1).map(({ request, response, connection, _requestId }) => ({
      url: request.url,
      sent: request.headers.map(({ value }) => value),
      status: response.status,
      redirectURL: response.redirectURL,
      received: response.headers.find(({ name }) => name === 'x-step')?.value,
      connection,
      _requestId,
    })),
    [
      {
        url: URL_A,
        sent: ['a'],
        status: 301,
        redirectURL: '/b',
        received: 'a',
        connection: '40301',
        _requestId: 'A',
      },
      {
        url: b,
        sent: ['b'],
        status: 302,
        redirectURL: c,
        received: 'b',
        connection: '40302',
        _requestId: 'A',
      },
      {
        url: c,
        sent: ['c'],
        status: 200,
        redirectURL: '',
        received: 'c',
        connection: '40200',
        _requestId: 'A',
      },
    ],
  );
});

test('a redirect received nothing after its headers', () => {
  const next = 'https://www.example.org/next';
  const { time, timings } = repaired(URL_A, [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    asked({ requestId: 'A', url: next, ms: 90, redirectResponse: responseOf(URL_A, 30) }),
  ]);
  assert.equal(timings.receive, 0);
  assert.equal(time, 15.25);
});

test('a step inside the browser has no headers of the wire and takes none from the next step', () => {
  const http = 'http://www.example.org/a';
  const events = [
    asked({ requestId: 'A', url: http, ms: 30 }),
    asked({
      requestId: 'A',
      url: URL_A,
      ms: 31,
      redirectHasExtraInfo: false,
      redirectResponse: responseOf(http, 30, { status: 307, headers: { location: URL_A } }),
    }),
    sentHeaders('A', { step: 'wire' }),
    receivedHeaders('A', { 'x-step': 'wire' }),
    answeredA({}, EXTRA),
    finished('A', 50),
  ];
  assert.equal(repaired(http, events).request.headers[0]?.name, 'accept');
  assert.equal(repaired(http, events).response.redirectURL, URL_A);
  assert.equal(repaired(URL_A, events).request.headers[0]?.value, 'wire');
});

test('headers of a repeat on a new connection replace those of the try before', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    sentHeaders('A', { attempt: '1' }),
    sentHeaders('A', { attempt: '2' }),
    answeredA({}, EXTRA),
    finished('A', 50),
  ];
  assert.deepEqual(repaired(URL_A, events).request.headers, [{ name: 'attempt', value: '2' }]);
});

test('response cookies are read from the headers of the wire, one header for each', () => {
  const cookies = 'a=1; Secure; HttpOnly; Path=/x\nb=2; Expires=Fri, 01 Jan 2027 00:00:00 GMT';
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({}, EXTRA),
    receivedHeaders('A', { 'set-cookie': cookies }),
    finished('A', 50),
  ];
  const raw = unrepaired(events)[1].response;
  assert.deepEqual(raw.cookies, []);
  assert.equal(raw.headers.length, 1);
  const { response } = repaired(URL_A, events);
  assert.deepEqual(JSON.parse(JSON.stringify(response.cookies)), [
    { name: 'a', value: '1', path: '/x', httpOnly: true, secure: true },
    { name: 'b', value: '2', expires: '2027-01-01T00:00:00.000Z', httpOnly: false, secure: false },
  ]);
  assert.deepEqual(
    response.headers.map(({ name }) => name),
    ['set-cookie', 'set-cookie'],
  );
});

test('a posted JSON keeps its text and is counted in bytes', () => {
  const postData = '{"q":"é","n":[1,2]}';
  const events = [
    asked({
      requestId: 'A',
      url: URL_A,
      ms: 30,
      request: { method: 'POST', headers: { 'Content-Type': 'application/json' }, postData },
    }),
    answeredA(),
    finished('A', 50),
  ];
  const raw = unrepaired(events)[1].request;
  assert.equal(raw.postData.text, undefined);
  assert.equal(raw.bodySize, 19);
  const { request } = repaired(URL_A, events);
  assert.deepEqual(request.postData, { mimeType: 'application/json', text: postData });
  assert.equal(request.bodySize, 20);
});

test('a posted form keeps its text beside its fields', () => {
  const mimeType = 'application/x-www-form-urlencoded;charset=UTF-8';
  const events = [
    asked({
      requestId: 'A',
      url: URL_A,
      ms: 30,
      request: { method: 'POST', headers: { 'content-type': mimeType }, postData: 'a=1&b=x+y' },
    }),
    answeredA(),
    finished('A', 50),
  ];
  assert.equal(unrepaired(events)[1].request.postData.text, undefined);
  assert.deepEqual(repaired(URL_A, events).request.postData, {
    mimeType,
    text: 'a=1&b=x+y',
    params: [
      { name: 'a', value: '1' },
      { name: 'b', value: 'x y' },
    ],
  });
});

test('a beacon without a content type and without a response body keeps what it sent', () => {
  const postDataEntries = [{ bytes: Buffer.from('beacon').toString('base64') }];
  const events = [
    asked({
      requestId: 'A',
      url: URL_A,
      ms: 30,
      type: 'Ping',
      request: { method: 'POST', headers: {}, hasPostData: true, postDataEntries },
    }),
    answeredA({ status: 204, mimeType: '' }),
    finished('A', 50, 11),
  ];
  assert.equal(unrepaired(events)[1].request.postData, undefined);
  const { request, response, _resourceType } = repaired(URL_A, events);
  assert.deepEqual(request.postData, { mimeType: 'application/octet-stream', text: 'beacon' });
  assert.equal(request.bodySize, 6);
  assert.equal(_resourceType, 'ping');
  assert.equal(response.bodySize, 0);
  assert.equal(response.content.mimeType, 'x-unknown');
});

test('a body that the events do not hold has an unknown size, not none', () => {
  const request = { method: 'POST', hasPostData: true };
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30, request }),
    answeredA(),
    finished('A', 50),
  ];
  assert.equal(unrepaired(events)[1].request.bodySize, 0);
  assert.equal(repaired(URL_A, events).request.bodySize, -1);
});

test('a request that failed is an entry with status 0, its error and the time until then', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), failed('A', 42)];
  assert.equal(unrepaired(events).length, 1);
  const entry = repaired(URL_A, events);
  assert.equal(entry.response.status, 0);
  assert.equal(entry.response._error, 'net::ERR_NAME_NOT_RESOLVED');
  assert.equal(entry.response.httpVersion, 'unknown');
  assert.equal(entry.time, 12);
  assert.equal(entry.timings.blocked, 12);
  assert.equal(entry.connection, undefined);
  assert.equal(entry._connectionId, undefined);
  assert.equal(entry.startedDateTime, '2026-01-01T00:00:00.030Z');
});

test('an aborted request is an entry with its error', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    failed('A', 42, { errorText: 'net::ERR_ABORTED', canceled: true }),
  ];
  assert.equal(unrepaired(events).length, 1);
  assert.equal(repaired(URL_A, events).response._error, 'net::ERR_ABORTED');
});

test('a response that the page may not see is a failure that names the reason', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    receivedHeaders('A', { 'content-type': 'font/woff2' }),
    failed('A', 42, {
      errorText: 'net::ERR_FAILED',
      corsErrorStatus: { corsError: 'MissingAllowOriginHeader', failedParameter: '' },
    }),
  ];
  assert.equal(unrepaired(events).length, 1);
  const { response } = repaired(URL_A, events);
  assert.equal(response.status, 0);
  assert.equal(response._error, 'net::ERR_FAILED (MissingAllowOriginHeader)');
  assert.deepEqual(response.headers, [{ name: 'content-type', value: 'font/woff2' }]);
});

test('a response that broke off keeps its status and the bytes that came, and has an error', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({ headers: { 'content-length': '9000' } }),
    data('A', 700, 720),
    failed('A', 60, { errorText: 'net::ERR_CONNECTION_RESET' }),
  ];
  assert.equal(unrepaired(events).length, 1);
  const { response, time } = repaired(URL_A, events);
  assert.equal(response.status, 200);
  assert.equal(response._error, 'net::ERR_CONNECTION_RESET');
  assert.equal(response._transferSize, 770);
  assert.equal(response.bodySize, -1);
  assert.equal(response.content.size, 700);
  assert.equal(time, 30);
});

test('a request without an answer when the capture ended is an entry that says so', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    { method: 'Page.loadEventFired', params: { timestamp: atS(90) } },
  ];
  assert.equal(unrepaired(events).length, 1);
  const { response, time } = repaired(URL_A, events);
  assert.equal(response._error, 'no response when the capture ended');
  assert.equal(time, 60);
});

test('a response that is still coming when the capture ended has an error', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), answeredA(), data('A', 5)];
  assert.equal(repaired(URL_A, events).response._error, 'not complete when the capture ended');
});

test('a response whose announced body has come is complete, though no event says so', () => {
  const answer = answeredA() as { method: string; params: { response: object } };
  const withLength = {
    ...answer,
    params: {
      ...answer.params,
      response: { ...answer.params.response, headers: { 'content-length': '700' } },
    },
  };
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), withLength, data('A', 700)];
  const { response } = repaired(URL_A, events);
  assert.equal(response._error, undefined);
  assert.equal(response.bodySize, 700);
});

test('connection is the port, _connectionId the connection', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), answeredA(), finished('A', 50)];
  assert.equal(unrepaired(events)[1].connection, '37');
  const entry = repaired(URL_A, events);
  assert.equal(entry.connection, '40001');
  assert.equal(entry._connectionId, '37');
  assert.equal(entry.serverIPAddress, '127.0.1.1');
});

test('the time of an entry is the sum of its phases and the time that passed, ssl counted in connect', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 28 }), answeredA(), finished('A', 50)];
  assert.equal(unrepaired(events)[1].time, 19, 'chrome-har loses the time between the phases');
  const { time, timings } = repaired(URL_A, events);
  assert.deepEqual(timings, {
    blocked: 1,
    dns: 1,
    connect: 3,
    ssl: 3,
    send: 0.25,
    wait: 10,
    receive: 4.75,
    _queued: 2,
  });
  assert.equal(time, 20);
});

test('phases that did not take place are -1', () => {
  const timing = {
    requestTime: atS(30),
    dnsStart: -1,
    dnsEnd: -1,
    connectStart: -1,
    connectEnd: -1,
    sslStart: -1,
    sslEnd: -1,
    sendStart: 2,
    sendEnd: 2.5,
    receiveHeadersEnd: 8,
  };
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({ timing }),
    finished('A', 40),
  ];
  const { time, timings } = repaired(URL_A, events);
  assert.deepEqual(timings, {
    blocked: 2,
    dns: -1,
    connect: -1,
    ssl: -1,
    send: 0.5,
    wait: 5.5,
    receive: 2,
  });
  assert.equal(time, 10);
});

test('a response without timing has times that are numbers', () => {
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({ timing: undefined }),
    finished('A', 50),
  ];
  assert.ok(Number.isNaN(unrepaired(events)[1].time));
  const { time, timings } = repaired(URL_A, events);
  assert.equal(timings.wait, 16);
  assert.equal(timings.receive, 4);
  assert.equal(time, 20);
});

test('a response that ends before its headers, as Chromium can tell it, was received in no time', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), answeredA(), finished('A', 45)];
  assert.ok(unrepaired(events)[1].timings.receive < 0);
  assert.equal(repaired(URL_A, events).timings.receive, 0);
});

test('the size of the body has no headers in it in h2 and h3, and no framing', () => {
  const headers = { 'content-length': '700', 'content-encoding': 'gzip' };
  const events = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({ headers }),
    data('A', 4187),
    finished('A', 50, 804),
  ];
  assert.equal(unrepaired(events)[1].response.bodySize, 804);
  const { response } = repaired(URL_A, events);
  assert.equal(response.bodySize, 700);
  assert.equal(response.headersSize, -1);
  assert.equal(response._transferSize, 804);
  assert.equal(response.content.compression, 3487);
});

test('the size of a body without a length is what was decoded, or unknown when it was encoded', () => {
  const bodySize = (headers: object) =>
    repaired(URL_A, [
      asked({ requestId: 'A', url: URL_A, ms: 30 }),
      answeredA({ headers }),
      data('A', 900),
      finished('A', 50, 804),
    ]).response.bodySize;
  assert.equal(bodySize({}), 900);
  assert.equal(bodySize({ 'Content-Encoding': 'br' }), -1);
});

test('the sizes of HTTP/1.1 headers are those of the headers that were sent', () => {
  const headersText = 'HTTP/1.1 200 OK\r\nx-a:1\r\n\r\n';
  const events = [
    asked({ requestId: 'A', url: 'https://www.example.org/a?b', ms: 30 }),
    sentHeaders('A', { Host: 'www.example.org' }),
    answeredA(
      { protocol: 'http/1.1', statusText: 'OK', encodedDataLength: headersText.length },
      EXTRA,
    ),
    receivedHeaders('A', { 'x-a': '1' }, { headersText }),
    data('A', 10),
    finished('A', 50, headersText.length + 10),
  ];
  const raw = unrepaired(events)[1];
  assert.notEqual(raw.response.headersSize, headersText.length);
  const { request, response } = repaired('https://www.example.org/a?b', events);
  assert.equal(request.headersSize, 'GET /a?b HTTP/1.1\r\nHost: www.example.org\r\n\r\n'.length);
  assert.notEqual(raw.request.headersSize, request.headersSize);
  assert.equal(response.headersSize, headersText.length);
  assert.equal(response.bodySize, 10);
});

test('the size of a preflight is what came with the response, which its end does not say', () => {
  const events = [
    asked({
      requestId: 'A',
      url: URL_A,
      ms: 30,
      type: 'Other',
      initiator: { type: 'preflight', requestId: 'B' },
      request: { method: 'OPTIONS' },
    }),
    answeredA({ status: 204, encodedDataLength: 84 }),
    finished('A', 50, 0),
  ];
  const raw = unrepaired(events)[1];
  assert.equal(raw.response._transferSize, 0);
  assert.equal(raw._resourceType, 'other');
  const { response, _resourceType, _initiator } = repaired(URL_A, events);
  assert.equal(response._transferSize, 84);
  assert.equal(_resourceType, 'preflight');
  assert.deepEqual(_initiator, { type: 'preflight', requestId: 'B' });
});

test('the URL is the one that was asked for, and the query keeps its order', () => {
  const url = 'https://www.example.org/a|b?x=1|2&y={3}&x=^4';
  const events = [
    asked({ requestId: 'A', url, ms: 30, request: { urlFragment: '#top' } }),
    answeredA(),
    finished('A', 50),
  ];
  assert.notEqual(unrepaired(events)[1].request.url, `${url}#top`);
  const { request } = repaired(`${url}#top`, events);
  assert.deepEqual(
    request.queryString.map(({ name, value }) => `${name}=${value}`),
    ['x=1|2', 'y={3}', 'x=^4'],
  );
});

test('the priority is the last one, beside the first one', () => {
  const { _priority, _initialPriority } = repaired(URL_A, [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    { method: 'Network.resourceChangedPriority', params: { requestId: 'A', newPriority: 'High' } },
    answeredA(),
    finished('A', 50),
  ]);
  assert.equal(_priority, 'High');
  assert.equal(_initialPriority, 'Low');
});

test('the initiator is the object that the DevTools read', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), answeredA(), finished('A', 50)];
  assert.equal(typeof unrepaired(events)[1]._initiator, 'string');
  assert.deepEqual(repaired(URL_A, events)._initiator, {
    type: 'parser',
    url: ABOUT.url,
    lineNumber: 4,
  });
});

test('a response from a cache is kept, marked and carried nothing over the wire', () => {
  const fromMemory = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    { method: 'Network.requestServedFromCache', params: { requestId: 'A' } },
    answeredA({ timing: undefined }),
    finished('A', 50, 0),
  ];
  assert.equal(unrepaired(fromMemory).length, 1);
  const entry = repaired(URL_A, fromMemory);
  assert.equal(entry._fromCache, 'memory');
  assert.equal(entry.response._transferSize, 0);
  assert.deepEqual(entry.cache, {});

  const fromDisk = [
    asked({ requestId: 'A', url: URL_A, ms: 30 }),
    answeredA({ fromDiskCache: true }),
    finished('A', 50, 0),
  ];
  assert.equal(unrepaired(fromDisk).length, 1);
  assert.equal(repaired(URL_A, fromDisk)._fromCache, 'disk');
});

test('the TLS or QUIC of a response is kept', () => {
  assert.equal(unrepaired([])[0]._securityDetails, undefined);
  assert.deepEqual(repaired(ABOUT.url, [])._securityDetails, {
    protocol: 'QUIC',
    cipher: 'AES_128_GCM',
    keyExchange: '',
    keyExchangeGroup: 'X25519',
  });
});

test('the protocol stands the same in request and response', () => {
  for (const protocol of ['h3', 'h2', 'http/1.1']) {
    const { request, response } = repaired(URL_A, [
      asked({ requestId: 'A', url: URL_A, ms: 30 }),
      answeredA({ protocol }),
      finished('A', 50),
    ]);
    assert.equal(request.httpVersion, protocol);
    assert.equal(response.httpVersion, protocol);
  }
});

test('every extension of the format has an underscore', () => {
  const events = [asked({ requestId: 'A', url: URL_A, ms: 30 }), answeredA(), finished('A', 50)];
  assert.ok('fromDiskCache' in unrepaired(events)[1].response);
  const { response } = repaired(URL_A, events);
  assert.deepEqual(
    Object.keys(response).filter((name) => !name.startsWith('_')),
    [
      'status',
      'statusText',
      'httpVersion',
      'cookies',
      'headers',
      'content',
      'redirectURL',
      'headersSize',
      'bodySize',
    ],
  );
});

test('an answer that the copy in the cache is still good has status 304 and no body, and the content is that of the copy', () => {
  const loaded = (statusCode: number) => {
    const events = [
      asked({ requestId: 'A', url: URL_A, ms: 30 }),
      receivedHeaders('A', { 'content-length': '900' }, { statusCode }),
      answeredA({}, EXTRA),
      data('A', 900),
      finished('A', 50, 40),
    ];
    assert.equal(unrepaired(events)[1].response.status, 200);
    return repaired(URL_A, events).response;
  };
  const still = loaded(304);
  assert.equal(still.status, 304);
  assert.equal(still.bodySize, 0);
  assert.deepEqual(still.content, { size: 900, mimeType: 'text/plain' });
  const anew = loaded(200);
  assert.equal(anew.status, 200);
  assert.equal(anew.bodySize, 900);
});
