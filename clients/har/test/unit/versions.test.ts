import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Har } from '../../har.ts';
import { findProtocolSwitch, versionsOf, withProtocolSwitch } from '../../versions.ts';

interface ReceivedResponse {
  url?: string;
  by: string;
  fromCache?: boolean;
  status?: number;
  altSvc?: string;
}

/** Requests 10 ms after one another, the first of which is the document. */
function har(...responses: ReceivedResponse[]): Har {
  return {
    log: {
      pages: [{ startedDateTime: '2026-11-23T10:00:00.000Z', comment: 'a.test from mine-dual' }],
      entries: responses.map(
        ({ url = 'https://a.test/', by, fromCache, status = 200, altSvc }, index) => ({
          startedDateTime: new Date(Date.UTC(2026, 10, 23, 10, 0, 0, 10 * index)).toISOString(),
          _requestId: String(index),
          _resourceType: index === 0 ? 'document' : 'image',
          ...(fromCache && { _fromCache: 'disk' }),
          timings: { connect: -1 },
          request: { url },
          response: {
            status,
            httpVersion: by,
            headers: altSvc === undefined ? [] : [{ name: 'Alt-Svc', value: altSvc }],
          },
        }),
      ),
    },
  } as unknown as Har;
}

const ADVERTISED = { altSvc: 'h3=":443"; ma=86400' };

test('counts responses by version, without cached and missing ones', () => {
  const mixed = har(
    { by: 'h2', ...ADVERTISED },
    { by: 'h3' },
    { by: 'h3' },
    { by: 'h3', fromCache: true },
    { by: 'unknown', status: 0 },
  );
  assert.deepEqual(versionsOf(mixed), {
    document: 'h2',
    responses: { h2: 1, h3: 2 },
    advertisedH3: true,
  });
});

test('has no version for a cached document, and sees HTTP/3 advertised only by h3 in Alt-Svc', () => {
  const cached = har(
    { by: 'h2', fromCache: true, ...ADVERTISED },
    { by: 'h2', altSvc: 'h2=":8443"' },
  );
  assert.deepEqual(versionsOf(cached), {
    document: null,
    responses: { h2: 1 },
    advertisedH3: false,
  });
});

test('switches at the first request by HTTP/3 after one of the same host by HTTP/2', () => {
  const other = 'https://b.test/';
  const load = har(
    { by: 'h2' },
    { by: 'h3', url: other },
    { by: 'h2', fromCache: true },
    { by: 'h2' },
    { by: 'h3', url: 'https://a.test/3' },
    { by: 'h3' },
  );
  const change = findProtocolSwitch(load);
  assert.deepEqual(
    [change?.entry.request.url, change?.request, change?.atMs],
    ['https://a.test/3', 4, 40],
  );
  const switched = withProtocolSwitch(load);
  assert.deepEqual(
    switched.log.entries.map(({ _changedOver = false }) => _changedOver),
    [false, false, false, false, true, false],
  );
  assert.equal(
    switched.log.pages[0]?.comment,
    'a.test from mine-dual; from request 4 on (https://a.test/3, after 40 ms) by HTTP/3, before by HTTP/2',
  );
});

test('finds no switch in a load by one version, or back from HTTP/3, and does not change its HAR', () => {
  for (const load of [har({ by: 'h3' }, { by: 'h3' }), har({ by: 'h3' }, { by: 'h2' })]) {
    assert.equal(findProtocolSwitch(load), null);
    assert.equal(withProtocolSwitch(load), load);
  }
});
