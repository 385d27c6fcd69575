import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildHar } from '../../../chromium/har/build.ts';
import {
  ABOUT,
  documentLoaded,
  failedEvent,
  finishedEvent,
  requestEvent,
  responseEvent,
  responseOf,
} from '../../../chromium/test/unit/har/load.ts';
import { finishTimesMs, lastByteMs } from '../../last-byte.ts';

const url = (name: string) => `https://www.example.org/${name}`;
const resource = (name: string, method = 'GET') => ({ url: url(name), method });

const HAR = buildHar(
  [
    ...documentLoaded(),
    requestEvent({ requestId: 'late', url: url('late'), ms: 30 }),
    responseEvent('late', 40, responseOf(url('late'), 30)),
    finishedEvent('late', 90.26, 60),
    requestEvent({ requestId: 'cached', url: url('cached'), ms: 30 }),
    responseEvent('cached', 40, responseOf(url('cached'), 30, { fromDiskCache: true })),
    finishedEvent('cached', 95, 0),
    requestEvent({ requestId: 'reset', url: url('reset'), ms: 30 }),
    responseEvent('reset', 40, responseOf(url('reset'), 30)),
    failedEvent('reset', 99),
  ],
  ABOUT,
);

test('takes the last byte of the last response that came whole over the network', () => {
  assert.ok(Math.abs((lastByteMs(HAR) ?? 0) - 90.26) < 0.01);
});

test("has the time of each resource's last byte, and none if it did not come over the network", () => {
  const requested = ['late', 'never', 'cached', 'reset'].map((name) => resource(name));
  assert.deepEqual(finishTimesMs(HAR, [...requested, resource('late', 'POST')]), [
    90.3,
    null,
    null,
    null,
    null,
  ]);
});
