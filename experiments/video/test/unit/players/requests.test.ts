import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CdpEvent } from '../../../../../clients/chromium/har/events.ts';
import { eventsUntil, mediaRequests } from '../../../players/requests.ts';

const ZERO_S = 1000;

function sent(requestId: string, atMs: number, url: string, more: object = {}): CdpEvent {
  const params = { requestId, timestamp: ZERO_S + atMs / 1000, request: { url, headers: {} } };
  return { method: 'Network.requestWillBeSent', params: { ...params, ...more } };
}

function received(
  requestId: string,
  requestedMs: number,
  timing: object = {},
  headers: object = {},
): CdpEvent {
  const response = {
    status: 200,
    headers,
    protocol: 'h3',
    timing: {
      requestTime: ZERO_S + requestedMs / 1000,
      receiveHeadersStart: 30,
      connectStart: -1,
      connectEnd: -1,
      ...timing,
    },
  };
  return { method: 'Network.responseReceived', params: { requestId, response } };
}

function data(requestId: string, dataLength: number): CdpEvent {
  return { method: 'Network.dataReceived', params: { requestId, dataLength } };
}

function finished(requestId: string, atMs: number): CdpEvent {
  const params = { requestId, timestamp: ZERO_S + atMs / 1000 };
  return { method: 'Network.loadingFinished', params };
}

function near(found: number | null | undefined, expected: number): void {
  assert.ok(Math.abs((found ?? Number.NaN) - expected) < 1e-6, `${found}, expected ${expected}`);
}

test('has the times of a request since the given zero, its bytes, and its connection time', () => {
  const [request, ...rest] = mediaRequests(
    [
      sent('1', 5, 'https://video.example/a.webm'),
      received('1', 6, { connectStart: 1, connectEnd: 12 }),
      data('1', 700),
      data('1', 42),
      finished('1', 80),
    ],
    ZERO_S,
  );
  assert.deepEqual(rest, []);
  near(request?.requestedMs, 5);
  near(request?.firstByteMs, 36);
  near(request?.endMs, 80);
  near(request?.connectMs, 11);
  const { bytes, status, protocol, failed, range } = request ?? {};
  assert.deepEqual([bytes, status, protocol, failed, range], [742, 200, 'h3', null, null]);
});

test('has the reason of a broken request instead of an end, and its bytes until then', () => {
  const [request] = mediaRequests(
    [
      sent('1', 0, 'https://video.example/a.webm'),
      received('1', 0),
      data('1', 9),
      { method: 'Network.loadingFailed', params: { requestId: '1', errorText: 'net::ERR_X' } },
    ],
    ZERO_S,
  );
  const { bytes, endMs, failed } = request ?? {};
  assert.deepEqual([bytes, endMs, failed], [9, null, 'net::ERR_X']);
});

test('distinguishes pending requests, range requests, and responses from outside the network', () => {
  const requests = mediaRequests(
    [
      sent('1', 0, 'https://video.example/a.webm', {
        request: { url: 'https://video.example/a.webm', headers: { Range: 'bytes=10-99' } },
      }),
      sent('2', 0, 'data:,'),
      finished('2', 1),
      sent('3', 2, 'https://video.example/b.webm'),
      sent('3', 4, 'https://video.example/c.webm', {
        redirectResponse: { status: 302, headers: {} },
      }),
      finished('3', 9),
    ],
    ZERO_S,
  );
  assert.deepEqual(
    requests.map(({ url, range, status, endMs }) => [
      new URL(url).pathname,
      range,
      status,
      endMs && Math.round(endMs),
    ]),
    [
      ['/a.webm', [10, 99], null, null],
      ['/b.webm', null, 302, 4],
      ['/c.webm', null, null, 9],
    ],
  );
});

test('fails a body that ends before its content-length, unless that is the length of a coding', () => {
  const ended = (headers: object) =>
    mediaRequests(
      [
        sent('1', 0, 'https://video.example/a.webm'),
        received('1', 0, {}, headers),
        data('1', 40),
        finished('1', 80),
      ],
      ZERO_S,
    )[0];
  const short = ended({ 'Content-Length': '100' });
  assert.deepEqual([short?.failed, short?.endMs], ['ended after 40 of 100 bytes', null]);
  const whole = ended({ 'content-length': '40' });
  assert.equal(whole?.failed, null);
  near(whole?.endMs, 80);
  assert.equal(ended({ 'content-length': '100', 'content-encoding': 'gzip' })?.failed, null);
});

test('ignores everything after the end of watching, and does not fail pending requests', () => {
  const late = (method: string, requestId: string, params: object = {}) => ({
    method,
    params: { requestId, timestamp: ZERO_S + 0.11, ...params },
  });
  const events = eventsUntil(
    [
      sent('1', 90, 'https://video.example/a.webm'),
      { method: 'Network.requestWillBeSentExtraInfo', params: { requestId: '2' } },
      sent('2', 105, 'https://video.example/b.webm'),
      late('Network.loadingFailed', '1', { errorText: 'net::ERR_ABORTED' }),
      late('Network.loadingFailed', '2', { errorText: 'net::ERR_ABORTED' }),
    ],
    ZERO_S + 0.1,
  );
  assert.equal(events.length, 1);
  const [request, ...rest] = mediaRequests(events, ZERO_S);
  assert.deepEqual(rest, []);
  assert.deepEqual([request?.failed, request?.endMs], [null, null]);
});
