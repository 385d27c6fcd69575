import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveDetailsOf } from '../../live-details.ts';
import { madeUpHar } from './made-up-live.ts';

test('reads hosts, versions and responses from a HAR, without queries and favicons', () => {
  const har = madeUpHar([
    { url: 'https://www.test/?a=1', type: 'document', connectMs: 30, bytes: 500, server: 'nginx' },
    { url: 'https://www.test/a.js?v=1', bytes: 10 },
    { url: 'https://www.test/a.js?v=2', bytes: 20 },
    { url: 'https://ads.test/b.gif', version: 'h2', connectMs: 40 },
    { url: 'https://ads.test/c.gif', status: 0, version: 'unknown', error: 'net::ERR_FAILED' },
    { url: 'https://www.test/d.png', fromCache: 'disk' },
    { url: 'https://www.test/favicon.ico' },
  ]);
  const found = liveDetailsOf(har, {
    quicHosts: ['www.test:443'],
    withoutQuic: { 'ads.test:443': 'no answer' },
  });
  assert.equal(found.url, 'https://www.test/?a=1');
  assert.deepEqual(found.hosts, [
    {
      host: 'www.test:443',
      quic: true,
      whyNot: null,
      announced: false,
      versions: { h3: 4 },
      bytes: 500 + 10 + 20 + 100 + 4 * 50,
      address: '192.0.2.1',
      server: 'nginx',
      connectMs: 30,
    },
    {
      host: 'ads.test:443',
      quic: false,
      whyNot: 'no answer',
      announced: false,
      versions: { h2: 1 },
      bytes: 150,
      address: '192.0.2.1',
      server: null,
      connectMs: 40,
    },
  ]);
  assert.deepEqual(found.requests, {
    'GET https://www.test/': { count: 1, bytes: 500 },
    'GET https://www.test/a.js': { count: 2, bytes: 30 },
    'GET https://ads.test/b.gif': { count: 1, bytes: 100 },
  });
  assert.equal(found.requestsCut, false);
  assert.deepEqual(found.failed, ['GET https://ads.test/c.gif']);
});

test('marks a record that cannot hold all requests', () => {
  const urls = Array.from({ length: 1001 }, (_, index) => ({ url: `https://www.test/${index}` }));
  const of = (count: number) =>
    liveDetailsOf(madeUpHar(urls.slice(0, count)), { quicHosts: [], withoutQuic: {} });
  assert.deepEqual([of(1000).requestsCut, of(1001).requestsCut], [false, true]);
  assert.equal(Object.keys(of(1001).requests).length, 1000);
});
