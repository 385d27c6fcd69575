import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Har, HarEntry, HarPair } from '../../har.ts';
import { withoutSecrets } from '../../secrets.ts';

function harWith(sent: HarPair[], received: HarPair[], cookie = 'SECRET'): Har {
  const entry = {
    request: {
      url: 'https://a.test/',
      cookies: [{ name: 'visitor', value: cookie }],
      headers: sent,
      headersSize: 321,
    },
    response: {
      cookies: [{ name: 'visitor', value: cookie, path: '/', secure: true }],
      headers: received,
      headersSize: 123,
      _transferSize: 456,
    },
  } as HarEntry;
  return { log: { entries: [entry] } } as unknown as Har;
}

function onlyEntry(har: Har): HarEntry {
  const [entry] = har.log.entries;
  assert.ok(entry);
  return entry;
}

test('removes values of cookies, and keeps their names and attributes', () => {
  const { request, response } = onlyEntry(
    withoutSecrets(
      harWith(
        [{ name: 'Cookie', value: 'visitor=SECRET; other=SECRET=; SECRET' }],
        [{ name: 'set-cookie', value: 'visitor=SECRET; Max-Age=3600; Path=/; Secure' }],
      ),
    ),
  );
  assert.deepEqual(request.headers, [
    { name: 'Cookie', value: 'visitor=(removed); other=(removed); (removed)' },
  ]);
  assert.deepEqual(response.headers, [
    { name: 'set-cookie', value: 'visitor=(removed); Max-Age=3600; Path=/; Secure' },
  ]);
  assert.deepEqual(request.cookies, [{ name: 'visitor', value: '(removed)' }]);
  assert.deepEqual(response.cookies, [
    { name: 'visitor', value: '(removed)', path: '/', secure: true },
  ]);
});

test('removes credentials, in any case of letters', () => {
  const har = harWith(
    [
      { name: 'authorization', value: 'Bearer SECRET' },
      { name: 'Proxy-Authorization', value: 'Basic SECRET' },
      { name: 'X-Api-Key', value: 'SECRET' },
      { name: 'apikey', value: 'SECRET' },
      { name: 'x-csrf-token', value: 'SECRET' },
      { name: 'X-CSRFToken', value: 'SECRET' },
      { name: 'x-amz-security-token', value: 'SECRET' },
      { name: 'X-Session-Id', value: 'SECRET' },
    ],
    [
      { name: 'Authentication-Info', value: 'nextnonce="SECRET"' },
      { name: 'x-auth-token', value: 'SECRET' },
    ],
  );
  assert.doesNotMatch(JSON.stringify(withoutSecrets(har)), /SECRET/);
});

test('removes request bodies, and keeps names of form fields and sizes', () => {
  const har = harWith([], []);
  Object.assign(onlyEntry(har).request, {
    bodySize: 20,
    postData: {
      mimeType: 'application/x-www-form-urlencoded',
      text: 'user=SECRET&password=SECRET',
      params: [
        { name: 'user', value: 'SECRET' },
        { name: 'password', value: 'SECRET' },
      ],
    },
  });
  const { request } = onlyEntry(withoutSecrets(har));
  assert.deepEqual(request.postData, {
    mimeType: 'application/x-www-form-urlencoded',
    text: '(removed)',
    params: [
      { name: 'user', value: '(removed)' },
      { name: 'password', value: '(removed)' },
    ],
  });
  assert.equal(request.bodySize, 20);
  assert.match(JSON.stringify(har), /SECRET/);
});

test('changes nothing else, and not the given HAR', () => {
  const har = harWith(
    [
      { name: 'accept', value: '*/*' },
      { name: 'x-author', value: 'somebody' },
      { name: 'sec-websocket-key', value: 'x' },
    ],
    [{ name: 'etag', value: '"x"' }],
  );
  const before = structuredClone(har);
  const { request, response } = onlyEntry(withoutSecrets(har));
  assert.deepEqual(har, before);
  assert.deepEqual(request.headers, onlyEntry(har).request.headers);
  assert.deepEqual(response.headers, onlyEntry(har).response.headers);
  assert.equal(request.headersSize, 321);
  assert.equal(response.headersSize, 123);
  assert.equal(response._transferSize, 456);
});
