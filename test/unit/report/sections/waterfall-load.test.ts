import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harFileOf } from '../../../../report/sections/har-file.ts';
import {
  busySpans,
  shownRequests,
  type WaterfallRequest,
  waterfallLoad,
} from '../../../../report/sections/waterfall-load.ts';
import { type MadeUpRequest, madeUpHar } from './made-up-har.ts';

const MOMENTS = {
  pageLoadMs: 503,
  domContentLoadedMs: 400,
  firstContentfulPaintMs: 300,
  largestContentfulPaintMs: null,
};

const loadOf = (requests: readonly MadeUpRequest[], onLoad = 500) =>
  waterfallLoad(harFileOf(madeUpHar(requests, onLoad)), MOMENTS);

test('shifts requests to the clock of the page, which the load event ties to that of the HAR', () => {
  const requests = [{ url: 'https://a.test/', startMs: 10, wait: 20 }];
  assert.equal(loadOf(requests, 500).requests[0]?.startMs, 13);
  assert.equal(loadOf(requests, 490).requests[0]?.startMs, 23);
  assert.equal(loadOf(requests, -1).requests[0]?.startMs, 10);
});

test('orders the phases of a request from its queueing to its end', () => {
  const [request] = loadOf([
    {
      url: 'https://a.test/',
      startMs: 10,
      queued: 5,
      blocked: 2,
      dns: 1,
      connect: 60,
      send: 1,
      wait: 29,
      receive: 8,
    },
  ]).requests;
  assert.deepEqual(request?.spans, [
    { phase: 'held', startMs: 8, endMs: 15 },
    { phase: 'lookUp', startMs: 15, endMs: 16 },
    { phase: 'connect', startMs: 16, endMs: 76 },
    { phase: 'wait', startMs: 76, endMs: 106 },
    { phase: 'receive', startMs: 106, endMs: 114 },
  ]);
  assert.deepEqual([request?.startMs, request?.endMs], [8, 114]);
});

test('divides a wait at the round trip of the path, and at least by what the server reports', () => {
  const waitsOf = (rttMs: number | null, serverTiming?: string) => {
    const request = {
      url: 'https://a.test/',
      startMs: 0,
      wait: 100,
      ...(serverTiming && { serverTiming }),
    };
    const [first] = waterfallLoad(harFileOf(madeUpHar([request])), MOMENTS, rttMs).requests;
    return first?.spans.map(({ phase, startMs, endMs }) => [phase, endMs - startMs]);
  };
  assert.deepEqual(waitsOf(null), [['wait', 100]]);
  assert.deepEqual(waitsOf(30), [
    ['wait', 30],
    ['longer', 70],
  ]);
  assert.deepEqual(waitsOf(120), [['wait', 100]]);
  for (const rttMs of [null, 80]) {
    assert.deepEqual(waitsOf(rttMs, 'db;dur=20.5, total;desc="all";dur=60'), [
      ['wait', 40],
      ['longer', 60],
    ]);
  }
  assert.deepEqual(waitsOf(30, 'cache;desc=hit;dur=1'), [
    ['wait', 30],
    ['longer', 70],
  ]);
  assert.deepEqual(waitsOf(30, 'total;dur=500'), [['longer', 100]]);
});

test("names the host of an address only if it is not the document's", () => {
  const addresses = loadOf([
    { url: 'https://a.test/', startMs: 0 },
    { url: 'https://a.test/b.js?v=1#part', startMs: 1 },
    { url: 'https://cdn.a.test:8443/c.js', startMs: 2 },
    { url: 'no address at all', startMs: 3 },
  ]).requests.map(({ address }) => address);
  assert.deepEqual(addresses, ['/', '/b.js?v=1', 'cdn.a.test:8443/c.js', 'no address at all']);
});

test('marks only moments that happened, in order of time', () => {
  assert.deepEqual(loadOf([{ url: 'https://a.test/', startMs: 0 }]).marks, [
    { name: 'FCP', atMs: 300 },
    { name: 'DCL', atMs: 400 },
    { name: 'load', atMs: 503 },
  ]);
});

/** Requests one after the other, by duration. */
function requestsOf(durationsMs: readonly number[]): WaterfallRequest[] {
  return durationsMs.map((durationMs, index) => ({
    address: `/${index}`,
    protocol: 'h3',
    status: 200,
    wireBytes: 1,
    fromCache: false,
    startMs: index,
    endMs: index + durationMs,
    spans: [],
  }));
}

const addressesOf = (requests: readonly WaterfallRequest[]) =>
  requests.map(({ address }) => address);

test('gives a row to each of as many requests as there are rows', () => {
  const requests = requestsOf([5, 1, 9]);
  assert.deepEqual(shownRequests(requests, 3), { own: requests, folded: [] });
});

test('keeps the rows of the document and the longest of too many requests, in order of time', () => {
  const { own, folded } = shownRequests(requestsOf([1, 3, 90, 2, 50, 4]), 4);
  assert.deepEqual(addressesOf(own), ['/0', '/2', '/4']);
  assert.deepEqual(addressesOf(folded), ['/1', '/3', '/5']);
});

test('loses and repeats no request, however few rows there are', () => {
  const requests = requestsOf([4, 4, 4, 4, 4]);
  for (const rows of [0, 1, 2, 3, 4, 5, 6]) {
    const { own, folded } = shownRequests(requests, rows);
    assert.deepEqual(addressesOf([...own, ...folded]).sort(), addressesOf(requests));
    assert.ok(own.includes(requests[0] as WaterfallRequest));
  }
});

test('counts requests that overlap or meet as busy once', () => {
  const spans = [
    { startMs: 30, endMs: 40 },
    { startMs: 0, endMs: 20 },
    { startMs: 5, endMs: 8 },
    { startMs: 20, endMs: 25 },
  ];
  assert.deepEqual(busySpans(spans), [
    { startMs: 0, endMs: 25 },
    { startMs: 30, endMs: 40 },
  ]);
  assert.deepEqual(busySpans([]), []);
});
