import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../../cache/manifest.ts';
import type { Har } from '../../har.ts';
import { replayRecordOf } from '../../replayed.ts';

function resource(url: string, method: 'GET' | 'POST' = 'GET'): Resource {
  return { url, method, status: 200, headers: [] } as unknown as Resource;
}

function harOf(
  ...requests: { method?: string; url: string; about?: string; from?: string | null }[]
): Har {
  return {
    log: {
      entries: requests.map(({ method = 'GET', url, about, from = '10.89.1.1' }) => ({
        request: {
          method,
          url,
          headers: about ? [{ name: 'Access-Control-Request-Method', value: about }] : [],
        },
        ...(from === null ? {} : { serverIPAddress: from }),
      })),
    },
  } as unknown as Har;
}

const RESOURCES = [
  resource('https://a.test/'),
  resource('https://a.test/x.js?t=1'),
  resource('https://a.test/post', 'POST'),
];

test('classifies requests by their match, with the URLs of inexact ones', () => {
  const har = harOf(
    { url: 'https://a.test/#part' },
    { url: 'https://a.test/x.js?t=2' },
    { url: 'https://a.test/none' },
    { method: 'POST', url: 'https://a.test/post' },
  );
  assert.deepEqual(replayRecordOf(har, RESOURCES), {
    exact: 2,
    byQuery: [{ requested: 'https://a.test/x.js?t=2', answered: 'https://a.test/x.js?t=1' }],
    unknown: ['GET https://a.test/none'],
  });
});

test('counts HEAD as GET, a preflight as its actual request, and nothing that reached no server', () => {
  const har = harOf(
    { method: 'HEAD', url: 'https://a.test/' },
    { method: 'OPTIONS', url: 'https://a.test/post', about: 'POST' },
    { url: 'https://elsewhere.test/', from: null },
  );
  assert.deepEqual(replayRecordOf(har, RESOURCES), { exact: 2, byQuery: [], unknown: [] });
});
