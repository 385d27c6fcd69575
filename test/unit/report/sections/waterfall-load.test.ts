import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harFileOf } from '../../../../report/sections/har-file.ts';
import { waterfallLoad } from '../../../../report/sections/waterfall-load.ts';
import { type MadeUpRequest, madeUpHar } from './made-up-har.ts';

const MOMENTS = {
  pageLoadMs: 503,
  domContentLoadedMs: 400,
  firstContentfulPaintMs: 300,
  largestContentfulPaintMs: null,
};

const loadOf = (requests: readonly MadeUpRequest[], onLoad = 500) =>
  waterfallLoad(harFileOf(madeUpHar(requests, onLoad)), MOMENTS);

test('requests are moved to the clock of the page, which the load event ties to that of the HAR', () => {
  const requests = [{ url: 'https://a.test/', startMs: 10, wait: 20 }];
  assert.equal(loadOf(requests, 500).requests[0]?.startMs, 13);
  assert.equal(loadOf(requests, 490).requests[0]?.startMs, 23);
  assert.equal(loadOf(requests, -1).requests[0]?.startMs, 10);
});

test('the phases of a request follow one another from its queueing to its end', () => {
  const [request] = loadOf([
    {
      ...{ url: 'https://a.test/', startMs: 10, queued: 5, blocked: 2, dns: 1, connect: 60 },
      ...{ send: 1, wait: 29, receive: 8 },
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

test('an address names its host only where that is not the host of the document', () => {
  const addresses = loadOf([
    { url: 'https://a.test/', startMs: 0 },
    { url: 'https://a.test/b.js?v=1#part', startMs: 1 },
    { url: 'https://cdn.a.test:8443/c.js', startMs: 2 },
    { url: 'no address at all', startMs: 3 },
  ]).requests.map(({ address }) => address);
  assert.deepEqual(addresses, ['/', '/b.js?v=1', 'cdn.a.test:8443/c.js', 'no address at all']);
});

test('only moments that came to pass are marks, in order of time', () => {
  assert.deepEqual(loadOf([{ url: 'https://a.test/', startMs: 0 }]).marks, [
    { name: 'FCP', atMs: 300 },
    { name: 'DCL', atMs: 400 },
    { name: 'load', atMs: 503 },
  ]);
});
