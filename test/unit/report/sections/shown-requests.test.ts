import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WaterfallRequest } from '../../../../report/sections/waterfall-load.ts';
import { busySpans, shownRequests } from '../../../../report/sections/waterfall-load.ts';

/** Requests one after the other, by how long they take. */
function requestsOf(durationsMs: readonly number[]): WaterfallRequest[] {
  return durationsMs.map((durationMs, index) => ({
    ...{ address: `/${index}`, protocol: 'h3', status: 200, wireBytes: 1, fromCache: false },
    ...{ startMs: index, endMs: index + durationMs, spans: [] },
  }));
}

const addressesOf = (requests: readonly WaterfallRequest[]) =>
  requests.map(({ address }) => address);

test('as many requests as there are rows all get one', () => {
  const requests = requestsOf([5, 1, 9]);
  assert.deepEqual(shownRequests(requests, 3), { own: requests, folded: [] });
});

test('with too many requests the document and the longest keep their rows, in order of time', () => {
  const { own, folded } = shownRequests(requestsOf([1, 3, 90, 2, 50, 4]), 4);
  assert.deepEqual(addressesOf(own), ['/0', '/2', '/4']);
  assert.deepEqual(addressesOf(folded), ['/1', '/3', '/5']);
});

test('no request is lost or there twice, however few rows there are', () => {
  const requests = requestsOf([4, 4, 4, 4, 4]);
  for (const rows of [0, 1, 2, 3, 4, 5, 6]) {
    const { own, folded } = shownRequests(requests, rows);
    assert.deepEqual(addressesOf([...own, ...folded]).sort(), addressesOf(requests));
    assert.ok(own.includes(requests[0] as WaterfallRequest));
  }
});

test('requests that overlap or meet are busy once', () => {
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
