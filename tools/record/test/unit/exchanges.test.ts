import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteLines } from '../../../../cache/notes.ts';
import type { Exchange } from '../../../../clients/chromium/har/exchanges.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { loadExchanges, type NetLogAnswer } from '../../exchanges.ts';

const KEY = 'https://a.test https://a.test';

function answer(url: string, about: Partial<NetLogAnswer> = {}): NetLogAnswer {
  return {
    method: 'GET',
    url,
    status: 200,
    headers: [],
    body: Buffer.from(url),
    whole: true,
    isolationKey: KEY,
    isDocument: false,
    ...about,
  };
}

function seen(url: string, about: Record<string, unknown> = {}): Exchange {
  const { method = 'GET', type = 'Image', timing, ...more } = about;
  return {
    request: { request: { method, url }, type, wallTime: 1_700_000_000.5 },
    response: timing ? { timing, remoteIPAddress: '192.0.2.1' } : null,
    servedFromCache: false,
    failed: null,
    ...more,
  } as unknown as Exchange;
}

const DOCUMENT = answer('https://a.test/', { isDocument: true });
const SEEN_DOCUMENT = seen('https://a.test/', { type: 'Document' });

test('joins type and times of each request from the page with its response from the NetLog', () => {
  const timing = {
    connectStart: 1,
    sslStart: 21,
    connectEnd: 60,
    sendEnd: 61,
    receiveHeadersStart: 95,
  };
  const { exchanges, notes } = loadExchanges(
    [SEEN_DOCUMENT, seen('https://a.test/x.js', { type: 'Script', timing })],
    [DOCUMENT, answer('https://a.test/x.js', { headers: [['X-A', '1']] })],
  );
  assert.deepEqual(notes, []);
  assert.deepEqual(exchanges[1], {
    where: 'https://a.test/x.js',
    method: 'GET',
    url: 'https://a.test/x.js',
    status: 200,
    headers: [['X-A', '1']],
    body: Buffer.from('https://a.test/x.js'),
    bodyIs: 'as sent',
    type: 'script',
    startedAt: '2023-11-14T22:13:20.500Z',
    waitMs: 34,
    connectMs: 20,
    serverAddress: '192.0.2.1',
  });
});

test('counts a QUIC connection whole: its round trip includes the key exchange', () => {
  const timing = {
    connectStart: 1,
    sslStart: 1,
    connectEnd: 60,
    sendEnd: 61,
    receiveHeadersStart: 95,
  };
  const { exchanges } = loadExchanges([seen('https://a.test/', { timing })], [DOCUMENT]);
  assert.equal(exchanges[0]?.connectMs, 59);
  const reused = { ...timing, connectStart: -1, sslStart: -1, connectEnd: -1 };
  const { exchanges: next } = loadExchanges(
    [seen('https://a.test/', { timing: reused })],
    [DOCUMENT],
  );
  assert.equal(next[0]?.connectMs, undefined);
});

test('excludes requests of the browser itself, but not hidden ones of the page', () => {
  const { exchanges } = loadExchanges(
    [SEEN_DOCUMENT],
    [
      answer('https://update.example/', { isolationKey: 'null null' }),
      answer('https://accounts.example/', { isolationKey: 'https://b.test https://b.test' }),
      DOCUMENT,
      answer('https://a.test/worker.js'),
      answer('https://frame.test/in', { isolationKey: 'https://a.test https://frame.test' }),
    ],
  );
  assertEach(exchanges, ({ url, type }) => [url, type], [
    ['https://a.test/', 'document'],
    ['https://a.test/worker.js', null],
    ['https://frame.test/in', null],
  ]);
});

test("keeps the network's response after a cache miss", () => {
  const { exchanges, notes } = loadExchanges(
    [SEEN_DOCUMENT, seen('https://a.test/f', { type: 'Font' })],
    [DOCUMENT, answer('https://a.test/f', { status: 0 }), answer('https://a.test/f')],
  );
  assert.deepEqual(notes, []);
  assertEach(exchanges, ({ url, status, type }) => [url, status, type], [
    ['https://a.test/', 200, 'document'],
    ['https://a.test/f', 200, 'font'],
  ]);
});

test('does not keep a repeated response of the cache twice', () => {
  const again = 'https://a.test/again';
  const { exchanges, notes } = loadExchanges(
    [SEEN_DOCUMENT, seen(again), seen(again), seen(again), seen(again, { servedFromCache: true })],
    [DOCUMENT, answer(again), answer(again, { status: 0 }), answer(again, { status: 304 })],
  );
  assert.deepEqual(notes, []);
  assert.equal(exchanges.length, 2);
});

test('reports incomplete and missing responses and WebSockets', () => {
  const { exchanges, notes } = loadExchanges(
    [
      SEEN_DOCUMENT,
      seen('https://a.test/half'),
      seen('https://a.test/post', { method: 'POST' }),
      seen('https://a.test/forbidden', { failed: { blockedReason: 'csp' } }),
    ],
    [
      DOCUMENT,
      answer('https://a.test/half', { whole: false, body: Buffer.from('1234') }),
      answer('wss://a.test/socket', { status: 101 }),
    ],
  );
  assert.equal(exchanges.length, 1);
  const [half, post, socket, ...rest] = noteLines(notes);
  assert.deepEqual(rest, []);
  assert.match(half ?? '', /^https:\/\/a\.test\/half: skipped, .*: 4 bytes received/);
  assert.match(post ?? '', /^POST https:\/\/a\.test\/post: skipped, .* missing in/);
  assert.match(socket ?? '', /^wss:\/\/a\.test\/socket: a WebSocket/);
});

test('reports missing bodies of redirects where there may have been any', () => {
  const redirect = (...headers: [string, string][]) =>
    loadExchanges(
      [SEEN_DOCUMENT, seen('https://a.test/r')],
      [
        DOCUMENT,
        answer('https://a.test/r', { status: 302, headers: [['Location', '/'], ...headers] }),
      ],
    ).notes;
  assert.match(redirect().join(), /bodies of redirects \(1\)/);
  assert.deepEqual(redirect(['Content-Length', '0']), []);
});
