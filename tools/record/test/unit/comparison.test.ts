import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteManifest } from '../../../../cache/manifest.ts';
import type { RecordedExchange } from '../../../../cache/recording.ts';
import { compareLoads, comparisonLines } from '../../comparison.ts';

function exchange(url: string, about: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    where: url,
    method: 'GET',
    url,
    status: 200,
    headers: [],
    body: Buffer.from('body'),
    bodyIs: 'as sent',
    type: null,
    ...about,
  };
}

/** A site with these requests. */
function siteOf(...requests: string[]): Pick<SiteManifest, 'resources'> {
  const resources = requests.map((request) => {
    const [method, url] = request.split(' ');
    return { method, url };
  });
  return { resources } as unknown as Pick<SiteManifest, 'resources'>;
}

const SITE = siteOf(
  'GET https://a.test/',
  'GET https://a.test/x',
  'GET https://a.test/favicon.ico',
);

test('finds no difference between two loads with the same requests and responses', () => {
  // Scheme and port do not matter in the cache, a repeated request counts once, and an invented
  // favicon is no difference.
  const live = [
    exchange('http://a.test:8080/', { status: 301, headers: [['Location', 'https://a.test/']] }),
    exchange('https://a.test/'),
    exchange('http://a.test/x', { status: 206 }),
    exchange('http://a.test/x', { body: Buffer.from('later') }),
  ];
  const replayed = [
    exchange('https://a.test/x'),
    exchange('https://a.test/'),
    exchange('https://a.test/favicon.ico', { status: 204 }),
  ];
  const compared = compareLoads(live, replayed, SITE);
  assert.deepEqual(compared, { same: 2, kept: 2, missing: [], new: [], otherAnswers: [] });
  assert.deepEqual(comparisonLines(compared, { failure: null }, 'S'), [
    'Replayed by S: 2 of 2 recorded requests repeated with the same response, without any difference',
  ]);
});

test('names every difference', () => {
  const live = [
    exchange('https://a.test/'),
    exchange('https://a.test/x'),
    // Not kept: reported when it was recorded.
    exchange('https://a.test/preflight', { method: 'OPTIONS' }),
  ];
  const replayed = [
    exchange('https://a.test/', { body: Buffer.from('BODY') }),
    exchange('https://a.test/?r=2', { status: 404, body: null }),
  ];
  const compared = compareLoads(live, replayed, SITE);
  assert.deepEqual(compared, {
    same: 0,
    kept: 2,
    missing: ['GET https://a.test/x'],
    new: ['GET https://a.test/?r=2'],
    otherAnswers: [
      {
        request: 'GET https://a.test/',
        live: 'status 200, 4 bytes',
        replayed: 'status 200, 4 bytes',
      },
    ],
  });
  assert.equal(comparisonLines(compared, { failure: null }, 'S').length, 4);
});

test('counts a status alone as a difference', () => {
  const live = [exchange('https://a.test/', { status: 404 })];
  const { otherAnswers } = compareLoads(live, [exchange('https://a.test/')], SITE);
  assert.equal(otherAnswers.length, 1);
});

test('prints the first of many differences, and the number of the rest', () => {
  const urls = Array.from({ length: 60 }, (_, index) => `https://a.test/${index}`);
  const site = siteOf(...urls.map((url) => `GET ${url}`));
  const compared = compareLoads(
    urls.map((url) => exchange(url)),
    [],
    site,
  );
  const failure = { code: 'timeout' as const, message: 'No load event.' };
  const lines = comparisonLines(compared, { failure }, 'S');
  assert.equal(lines.length, 53);
  assert.match(lines[1] ?? '', /replay failed: No load event/);
  assert.equal(lines.at(-1), '  and 10 more');
});

test('compares both responses of a request with a bounce, in order', () => {
  const url = 'https://a.test/';
  const [resource] = siteOf(`GET ${url}`).resources;
  const bounce = { cookie: 'session', status: 302, headers: [] };
  const site = { resources: [{ ...resource, bounces: [bounce] }] } as unknown as typeof SITE;
  const away = exchange(url, {
    status: 302,
    headers: [['location', '/on']],
    body: Buffer.from(''),
  });
  const live = [away, exchange(url), exchange(url, { status: 500 })];
  assert.equal(compareLoads(live, [away, exchange(url)], site).same, 1);
  const [other] = compareLoads(live, [exchange(url)], site).otherAnswers;
  assert.equal(other?.live, 'status 302, 0 bytes, then status 200, 4 bytes');
  assert.equal(other.replayed, 'status 200, 4 bytes');
});
