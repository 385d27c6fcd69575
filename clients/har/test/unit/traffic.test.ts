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
import { countsOf, trafficOf } from '../../traffic.ts';

test('counts requests, responses, bytes and connections', () => {
  const url = (name: string) => `https://www.example.org/${name}`;
  const har = buildHar(
    [
      ...documentLoaded(),
      requestEvent({ requestId: 'missing', url: url('missing'), ms: 30 }),
      responseEvent(
        'missing',
        40,
        responseOf(url('missing'), 30, { status: 404, connectionId: 38 }),
      ),
      finishedEvent('missing', 41, 60),
      requestEvent({ requestId: 'reset', url: url('reset'), ms: 30 }),
      responseEvent('reset', 40, responseOf(url('reset'), 30)),
      failedEvent('reset', 41),
      requestEvent({ requestId: 'blocked', url: url('blocked'), ms: 30 }),
      failedEvent('blocked', 41),
      requestEvent({ requestId: 'other', url: url('other'), ms: 30 }),
      responseEvent(
        'other',
        40,
        responseOf(url('other'), 30, { protocol: 'h2', connectionId: 39 }),
      ),
      finishedEvent('other', 41, 70),
      requestEvent({ requestId: 'cached', url: url('cached'), ms: 30 }),
      responseEvent('cached', 40, responseOf(url('cached'), 30, { fromDiskCache: true })),
      finishedEvent('cached', 41, 0),
    ],
    ABOUT,
  );
  const { peakConcurrentRequests: _, ...counts } = countsOf(har);
  assert.deepEqual(counts, {
    requests: 5,
    wireBytes: 50 + 60 + 50 + 70,
    connections: 3,
    connectionsPerOrigin: 3,
  });
  const { responseHeadersSha256: __, ...traffic } = trafficOf(har);
  assert.deepEqual(traffic, {
    responses200: 2,
    errorResponses: 1,
    failedRequests: 2,
    protocols: { h3: 2, h2: 1 },
    tlsVersion: 'QUIC',
    connectionsByHost: { 'www.example.org': 3 },
    keyExchangeGroup: 'X25519',
    cipher: 'AES_128_GCM',
    fromCache: 1,
    responseHeaderNames: ['content-type'],
  });
});

test('has no traffic and no cipher in a load without a request', () => {
  const har = buildHar([], ABOUT);
  assert.deepEqual(countsOf(har), {
    requests: 0,
    wireBytes: 0,
    connections: 0,
    connectionsPerOrigin: null,
    peakConcurrentRequests: 0,
  });
  const { tlsVersion, cipher } = trafficOf(har);
  assert.deepEqual({ tlsVersion, cipher }, { tlsVersion: null, cipher: null });
});
