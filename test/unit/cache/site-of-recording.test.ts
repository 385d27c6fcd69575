import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { IMPORT_LIMITS, importBudget } from '../../../cache/limits.ts';
import type { RecordedExchange, Recording } from '../../../cache/recording.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { assertEach } from '../assert-each.ts';
import { exampleExchange, exampleRecording } from './example-recording.ts';

function siteOf(
  exchanges: RecordedExchange[],
  rest: Partial<Recording> = {},
  limits = IMPORT_LIMITS,
) {
  const budget = importBudget('x.har', limits);
  const site = siteOfRecording(exampleRecording(exchanges, rest), { file: 'x.har', budget });
  const resource = (url: string) => {
    const found = site.manifest.resources.find((candidate) => candidate.url === url);
    assert.ok(found, `no ${url}`);
    return found;
  };
  const bodyOf = (url: string) => site.bodies.get(resource(url).body ?? '') ?? new Uint8Array();
  return { ...site, resource, bodyOf, count: site.manifest.resources.length };
}

test('encodes a decoded body again as its header declares, and counts them in one note', () => {
  const { resource, bodyOf, notes } = siteOf([
    exampleExchange('https://www.a.test/a.js', {
      headers: [['Content-Encoding', 'gzip']],
      body: 'let a;'.repeat(100),
      bodyIs: 'decoded',
      sizes: { wireBytes: 31, decodedBytes: 600 },
    }),
  ]);
  const { contentEncoding, wireBytes, decodedBytes, headers } = resource('https://www.a.test/a.js');
  assert.equal(contentEncoding, 'gzip');
  assert.deepEqual(headers, [['content-encoding', 'gzip']]);
  assert.equal(decodedBytes, 600);
  assert.equal(gunzipSync(bodyOf('https://www.a.test/a.js')).toString(), 'let a;'.repeat(100));
  assert.deepEqual(notes, [
    `1 bodies compressed again, since only their decoded bytes were recorded: ${wireBytes} bytes, as recorded they had 31`,
  ]);
});

test('follows redirects from the navigated URL to the document, with each step of type document', () => {
  const { manifest, resource } = siteOf(
    [
      exampleExchange('http://a.test/', {
        status: 301,
        headers: [['location', 'http://www.a.test/']],
      }),
      exampleExchange('https://b.test/frame', {
        headers: [['content-type', 'text/html']],
        type: 'document',
      }),
    ],
    { documentUrl: 'http://a.test/' },
  );
  assert.equal(manifest.url, 'https://a.test/');
  assert.equal(resource('https://a.test/').type, 'document');
  assert.equal(resource('https://www.a.test/').type, 'document');
  assert.equal(resource('https://b.test/frame').type, 'iframe');
});

test('takes the first document without a navigated URL', () => {
  const { manifest } = siteOf([], { documentUrl: null });
  assert.equal(manifest.url, 'https://www.a.test/');
});

test("rejects by name a document's redirect that leaves the archive or loops", () => {
  const to = (from: string, location: string) =>
    exampleExchange(from, { status: 302, headers: [['location', location]] });
  for (const [exchanges, message] of [
    [
      [to('https://a.test/', 'https://gone.test/')],
      /redirects to https:\/\/gone\.test\/, which .* \(the archive does not have it\)/,
    ],
    [
      [to('https://a.test/', '/b'), exampleExchange('https://a.test/b', { body: null })],
      /redirects to https:\/\/a\.test\/b, which .* \(its body was not recorded\)/,
    ],
    [
      [to('https://a.test/', '/b'), to('https://a.test/b', '/')],
      /the document https:\/\/a\.test\/ .*\(its redirects lead in a circle/,
    ],
    [
      [to('https://a.test/', 'chrome-extension://abcd/blocked.html')],
      /the document https:\/\/a\.test\/ .*\(it redirects to an address that cannot be served: chrome-extension:/,
    ],
    [[], /x\.har: the document https:\/\/a\.test\/ is not among the responses/],
  ] as const) {
    assert.throws(() => siteOf([...exchanges], { documentUrl: 'https://a.test/' }), {
      name: 'ImportError',
      message,
    });
  }
});

test('excludes what does not answer a first request, with the entry and the reason', () => {
  const cases: [Partial<RecordedExchange> & { url?: string }, RegExp][] = [
    [{ status: 0 }, /it had no response/],
    [{ status: 304 }, /status 304 does not answer/],
    [{ status: 206 }, /status 206 does not answer/],
    [{ status: 407 }, /status 407 comes from a proxy/],
    [{ status: 99.5 }, /status 99\.5/],
    [{ method: 'OPTIONS' }, /only GET and POST/],
    [{ url: 'data:text/html,x' }, /not a web address/],
    [
      { url: `https://a.test/${'x'.repeat(40_000)}` },
      /its URL is too long: 40015 characters, at most 16000/,
    ],
    [{ body: null }, /its body was not recorded/],
    [
      { status: 307, headers: [['location', 'chrome-extension://abcd/surrogate.js']] },
      /it redirects to an address that cannot be served: chrome-extension:\/\/abcd\/surrogate\.js/,
    ],
    [
      { status: 302, headers: [['location', 'https://[::1]/']] },
      /it redirects to an address .*: https:\/\/\[::1\]/,
    ],
    [{ headers: Array(1001).fill(['a', 'b']) }, /it has more than 1000 headers/],
    [{ headers: [['a', 'b'.repeat(256_000)]] }, /its headers are too long: 256001 bytes/],
  ];
  for (const [change, message] of cases) {
    const exchange = { ...exampleExchange('https://a.test/x'), where: 'entry 7', ...change };
    const { count, notes } = siteOf([exchange as RecordedExchange]);
    assert.equal(count, 1, message.source);
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', message);
    assert.match(notes[0] ?? '', /^entry 7: skipped, /);
  }
});

test('reports the first response if none is a page', () => {
  const refusal = (change: Partial<RecordedExchange>) => () =>
    siteOf([], {
      documentUrl: null,
      exchanges: [{ ...exampleExchange('https://a.test/'), ...change }],
    });
  const headers: [string, string][] = [['content-type', 'text/html']];
  assert.throws(
    refusal({ status: 503, headers }),
    /a\.test\/, has status 503 and the type text\/html/,
  );
  assert.throws(refusal({}), /a\.test\/, has status 200 and no content type/);
});

test('rejects a document that is an attachment, and notes one that is an error or a challenge', () => {
  const documentWith = (change: Partial<RecordedExchange>) =>
    siteOf([{ ...exampleExchange('https://a.test/'), ...change }], {
      documentUrl: 'https://a.test/',
    });
  const html: [string, string] = ['content-type', 'text/html'];
  assert.throws(
    () => documentWith({ headers: [html, ['content-disposition', 'Attachment; filename=a.html']] }),
    /https:\/\/a\.test\/ is an attachment/,
  );
  for (const status of [204, 205]) {
    assert.throws(
      () => documentWith({ status, headers: [html] }),
      /with which Chromium does not navigate/,
    );
  }
  const headers: [string, string][] = [html, ['WWW-Authenticate', 'Basic realm="x"']];
  const { notes, resource } = documentWith({ status: 401, headers });
  assert.deepEqual(resource('https://a.test/').headers, [html]);
  assert.match(notes.join('\n'), /password: www-authenticate/);
  assert.match(notes.join('\n'), /the document is an error: status 401/);
});

test('rejects a page whose cookies are too large, each counted once at its longest', () => {
  const setting = (...values: string[]) =>
    siteOf(
      [
        {
          ...exampleExchange('https://a.test/x.css'),
          headers: values.map((value): [string, string] => ['set-cookie', value]),
        },
      ],
      {},
      { ...IMPORT_LIMITS, cookieBytes: 20 },
    );
  const long = `a=${'x'.repeat(10)}`;
  assert.doesNotThrow(() => setting(`${long}; Path=/; Secure`, 'a=1', long, 'b=2'));
  assert.throws(
    () => setting(long, `b=${'x'.repeat(10)}`),
    /x\.har: the page sets cookies of 24 bytes, and servers accept at most 20/,
  );
});

test('reads a 206 with the whole resource as a 200', () => {
  const video = (range: string) =>
    siteOf([
      exampleExchange('https://a.test/v.mp4', {
        status: 206,
        headers: [
          ['Content-Range', range],
          ['content-type', 'video/mp4'],
        ],
        body: '12345',
      }),
    ]);
  const { resource } = video('bytes 0-4/5');
  assert.equal(resource('https://a.test/v.mp4').status, 200);
  assert.deepEqual(resource('https://a.test/v.mp4').headers, [['content-type', 'video/mp4']]);
  assert.equal(video('bytes 0-3/5').count, 1);
  assert.equal(video('bytes 0-4/9').count, 1);
  assert.equal(video('bytes 0-8/9').count, 1);
});

test('never keeps header values with line breaks', () => {
  const { resource, notes } = siteOf([
    exampleExchange('https://a.test/x', {
      headers: [
        ['x-a', 'one\r\nset-cookie: evil=1'],
        ['location', 'https://a.test/\nx: y'],
        ['bad name', 'x'],
        ['x-b', ' kept '],
      ],
    }),
  ]);
  assert.deepEqual(resource('https://a.test/x').headers, [['x-b', 'kept']]);
  assert.deepEqual(notes, [
    '2 times: header dropped whose value is not printable ASCII; first: entry https://a.test/x: x-a',
    'entry https://a.test/x: header dropped with an invalid name: "bad name"',
  ]);
});

test('removes ports, in Location as well, with a note', () => {
  const { resource, notes } = siteOf([
    exampleExchange('https://a.test:8443/r', {
      status: 302,
      headers: [['location', 'http://b.test:8080/x?u=http://c.test:1/']],
    }),
  ]);
  assert.deepEqual(resource('https://a.test/r').headers, [
    ['location', 'https://b.test/x?u=http://c.test:1/'],
  ]);
  assert.deepEqual(notes, ['entry https://a.test:8443/r: port 8443 dropped, all servers use 443']);
});

test('drops a redirect from http to https, but not a form that returns to its page, nor an error that names itself', () => {
  const toItself: [string, string][] = [['location', 'https://www.a.test/form']];
  const { manifest, notes } = siteOf([
    exampleExchange('http://www.a.test/form', { status: 301, headers: toItself }),
    exampleExchange('http://www.a.test/form', { method: 'POST', status: 308, headers: toItself }),
    exampleExchange('https://www.a.test/form', { method: 'POST', status: 303, headers: toItself }),
    exampleExchange('https://www.a.test/form', { status: 404, headers: toItself }),
  ]);
  assertEach(manifest.resources.slice(1), ({ method, status }) => [method, status], [
    ['POST', 303],
    ['GET', 404],
  ]);
  assert.deepEqual(notes, [
    '2 times: skipped, it redirects from http to https, and all URLs are https here; first: entry http://www.a.test/form',
  ]);
});

test('keeps one resource for GET and one for POST per URL, the first of each', () => {
  const { manifest, notes, bodyOf } = siteOf([
    exampleExchange('https://a.test/x', { body: null }),
    exampleExchange('https://a.test/x', { body: 'second' }),
    exampleExchange('https://a.test/x', { body: 'third' }),
    exampleExchange('https://a.test/x', { method: 'POST', body: 'post' }),
  ]);
  assert.deepEqual(
    manifest.resources.map(({ method, url }) => `${method} ${url}`),
    ['GET https://www.a.test/', 'GET https://a.test/x', 'POST https://a.test/x'],
  );
  assert.equal(Buffer.from(bodyOf('https://a.test/x')).toString(), 'second');
  assert.match(
    notes[1] ?? '',
    /skipped, the same URL as an earlier one: entry https:\/\/a\.test\/x$/,
  );
});

const to = (from: string, location: string, change: Partial<RecordedExchange> = {}) =>
  exampleExchange(from, { status: 302, headers: [['location', location]], ...change, body: '' });

test('takes the response after a sign-on bounce as the document', () => {
  const { manifest, resource, bodyOf, notes } = siteOf(
    [
      to('https://a.test/', 'https://sso.test/?to=a', { where: 'entry 1' }),
      to('https://sso.test/?to=a', 'https://a.test/'),
      exampleExchange('https://a.test/', {
        headers: [['content-type', 'text/html']],
        body: 'signed on',
        where: 'entry 3',
      }),
      to('https://a.test/', 'https://sso.test/?out'),
    ],
    { documentUrl: 'https://a.test/' },
  );
  assert.equal(manifest.url, 'https://a.test/');
  assert.equal(resource('https://a.test/').status, 200);
  assert.equal(resource('https://a.test/').type, 'document');
  assert.equal(Buffer.from(bodyOf('https://a.test/')).toString(), 'signed on');
  assert.deepEqual(notes, [
    'entry 1: skipped, a later answer to the same URL is kept: entry 3',
    'entry https://a.test/: skipped, the same URL as an earlier one: entry 3',
  ]);
});

test('keeps the first success of several responses, one with its body if there is any', () => {
  const answer = (status: number, body: string | null) =>
    exampleExchange('https://a.test/x', { status, body });
  const keptOf = (...answers: RecordedExchange[]) => {
    const { manifest } = siteOf(answers);
    const kept = manifest.resources.find(({ url }) => url === 'https://a.test/x');
    return kept && [kept.status, kept.wireBytes];
  };
  assert.deepEqual(keptOf(answer(401, ''), answer(200, 'abc')), [200, 3]);
  assert.deepEqual(keptOf(answer(503, 'a'), answer(404, 'abc')), [503, 1]);
  assert.deepEqual(keptOf(answer(200, null), answer(200, 'abc'), answer(200, 'a')), [200, 3]);
  assert.deepEqual(keptOf(answer(200, 'abc'), answer(500, 'a')), [200, 3]);
  // Otherwise the browser would loop for ever.
  assert.deepEqual(keptOf(to('https://a.test/x', '/y'), answer(200, null)), undefined);
});

test('excludes redirect loops, and more redirects than browsers follow', () => {
  const chain = (name: string, steps: number) =>
    Array.from({ length: steps }, (_, step) =>
      to(`https://a.test/${name}${step}`, `/${name}${step + 1}`),
    );
  const { manifest, notes } = siteOf([
    to('https://a.test/x', '/y'),
    to('https://a.test/y', '/x'),
    to('https://a.test/z', '/y'),
    ...chain('far', 20),
    exampleExchange('https://a.test/far20'),
    ...chain('long', 21),
    exampleExchange('https://a.test/long21'),
  ]);
  const urls = new Set(manifest.resources.map(({ url }) => new URL(url).pathname));
  for (const gone of ['/x', '/y', '/z', '/long0']) assert.ok(!urls.has(gone), gone);
  for (const kept of ['/far0', '/long1']) assert.ok(urls.has(kept), kept);
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? '', /^4 times: skipped, its redirects lead in a circle/);
});

test('computes the server time as the wait less one round trip to its host', () => {
  const at = (path: string, timing: Partial<RecordedExchange>) =>
    exampleExchange(`https://a.test/${path}`, timing);
  const { resource } = siteOf([
    at('a', { waitMs: 70, connectMs: 30 }),
    at('b', { waitMs: 30.5 }),
    at('c', {}),
    at('d', { waitMs: 70, serverMs: 5 }),
    exampleExchange('https://b.test/', { waitMs: 20 }),
  ]);
  const waits = ['a', 'b', 'c', 'd'].map((path) => resource(`https://a.test/${path}`).waitMs);
  assert.deepEqual(waits, [40, 0.5, undefined, 5]);
  // Without an observed connection the shortest wait counts as the round trip.
  assert.equal(resource('https://b.test/').waitMs, 0);
});

test('writes the date, the addresses and the kind into the manifest', () => {
  const recording = exampleRecording(
    [exampleExchange('https://b.test/', { serverAddress: '192.0.2.7' })],
    {
      recordedAt: '2026-11-21T10:00:00.000Z',
    },
  );
  const { manifest } = siteOfRecording(recording, { file: 'x', kind: 'recorded' });
  assert.equal(manifest.recordedAt, '2026-11-21T10:00:00.000Z');
  assert.deepEqual(manifest.addresses, { 'b.test': '192.0.2.7' });
  assert.equal(manifest.kind, 'recorded');
  assert.equal(siteOf([]).manifest.addresses, undefined);
});

test('ends the import at bodies that are too large, too many or unpack to too much, and names them', () => {
  const limits = { ...IMPORT_LIMITS, entries: 3, bodyBytes: 1000, totalBytes: 1900 };
  const bomb = exampleExchange('https://a.test/bomb', {
    headers: [['content-encoding', 'gzip']],
    body: gzipSync(Buffer.alloc(100_000)),
  });
  const big = (name: string, bytes: number) =>
    exampleExchange(`https://a.test/${name}`, { body: 'x'.repeat(bytes) });
  for (const [exchanges, message] of [
    [[bomb], /entry https:\/\/a\.test\/bomb: the body unpacks to more than 1,000 bytes/],
    [[big('a', 1001)], /entry https:\/\/a\.test\/a: the body has 1,001 bytes/],
    [
      [big('a', 1000), big('b', 1000)],
      /a\.test\/b: with this body all together have more than 1,900/,
    ],
    [[big('a', 1), big('b', 1), big('c', 1)], /x\.har has more than 3 entries/],
  ] as const) {
    assert.throws(() => siteOf([...exchanges], {}, limits), { name: 'ImportError', message });
  }
});
