import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Har } from '../../har.ts';
import { largestPaintOf } from '../../largest-paint.ts';

const entry = (url: string, startMs: number, timings: object, more: object = {}) => ({
  startedDateTime: new Date(startMs).toISOString(),
  request: { url },
  timings,
  ...more,
});
const HAR = {
  log: {
    pages: [{ startedDateTime: new Date(0).toISOString() }],
    entries: [
      entry(
        'https://a.test/',
        0,
        { blocked: 2, dns: -1, connect: 40, ssl: 30, send: 1, wait: 50, receive: 100 },
        { _resourceType: 'document', _requestId: '1' },
      ),
      entry('https://a.test/hero.jpg', 150, {
        blocked: 10,
        dns: -1,
        connect: -1,
        ssl: -1,
        send: 0,
        wait: 60,
        receive: 80,
      }),
      entry('https://a.test/old.jpg', 150, { wait: 1 }, { _fromCache: 'disk' }),
    ],
  },
} as unknown as Har;
const shown = (url: string | null) => ({ element: 'img#hero', url, areaPx: 1000 });

test('splits the time of an image by its request, without a gap', () => {
  const { splitMs, ...what } = largestPaintOf(HAR, shown('https://a.test/hero.jpg#x'), 330);
  assert.deepEqual(what, shown('https://a.test/hero.jpg#x'));
  assert.deepEqual(splitMs, { order: 160, connection: 0, waiting: 60, receiving: 80, render: 30 });
});

test('splits the time of a text by the document, whose transfer may go on after the paint', () => {
  assert.deepEqual(largestPaintOf(HAR, shown(null), 120).splitMs, {
    order: 2,
    connection: 40,
    waiting: 51,
    receiving: 27,
    render: 0,
  });
});

test('an image within the page has no resource, and waits for the document', () => {
  const { url, splitMs } = largestPaintOf(HAR, shown('data:image/png;base64,AA'), 200);
  assert.equal(url, null);
  assert.equal(splitMs?.render, 7);
});

test('an image that did not come over the network has no parts', () => {
  assert.equal(largestPaintOf(HAR, shown('https://a.test/old.jpg'), 200).splitMs, null);
  assert.equal(largestPaintOf(HAR, shown('blob:https://a.test/1'), 200).splitMs, null);
});
