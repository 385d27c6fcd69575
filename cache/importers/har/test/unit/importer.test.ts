import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { folderOfFiles } from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import {
  assertBombRefused,
  assertLargeRefused,
} from '../../../../../test/unit/cache/oversize-archives.ts';
import { IMPORT_LIMITS, importBudget } from '../../../../limits.ts';
import { noteLines } from '../../../../notes.ts';
import type { Recording } from '../../../../recording.ts';
import { documentChainOf } from '../../../../resource-answers.ts';
import { siteOfRecording } from '../../../../site-of-recording.ts';
import { answersOf } from '../../../answers.ts';
import { HAR } from '../../importer.ts';

const recorded = path.join(import.meta.dirname, 'recorded');
const readHar = (file: string, document: string | null = null, limits = IMPORT_LIMITS) =>
  HAR.read(file, { limits, document });
const whyNoBody = ({ exchanges }: Recording) => exchanges.map((each) => each.whyNoBody);

/** The parts of a HAR that tests change. */
interface Entry {
  url?: string;
  status?: number;
  headers?: [string, string][];
  requestHeaders?: [string, string][];
  content?: object;
  response?: object;
  more?: object;
}

const entryOf = ({
  url = 'https://a.test/',
  status = 200,
  headers = [],
  requestHeaders = [],
  content = {},
  response,
  more,
}: Entry) => ({
  startedDateTime: '2026-11-21T10:00:00.000Z',
  request: {
    method: 'GET',
    url,
    headers: requestHeaders.map(([name, value]) => ({ name, value })),
  },
  response: {
    status,
    headers: headers.map(([name, value]) => ({ name, value })),
    content: { size: -1, ...content },
    ...response,
  },
  ...more,
});
const bodyOf = (
  path: string,
  content: object,
  headers: [string, string][] = [],
  response: object = {},
) => entryOf({ url: `https://a.test/${path}`, headers, content, response });
const HTML: [string, string][] = [['content-type', 'text/html']];
const page = entryOf({ headers: HTML, content: { text: '<p>page' } });
const harOf = (entries: unknown[], log: object = {}) =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: 'Tool', version: '1' }, entries, ...log },
  });

/** Playwright's file name of a body. */
const sha1Of = (content: string) => createHash('sha1').update(content).digest('hex');

/** Result of reading a HAR with these entries. */
async function recordingOf(t: TestContext, entries: unknown[], log?: object) {
  return readHar(await harFile(t, harOf(entries, log)));
}

async function harFile(t: TestContext, content: string | Uint8Array, name = 'page.har') {
  return path.join(await folderOfFiles(t, { [name]: content }), name);
}

for (const name of ['devtools.har', 'playwright.har', 'playwright.har.zip']) {
  test(`${name}, as that program writes it, becomes the recorded page`, async () => {
    const file = path.join(recorded, name);
    assert.ok(await HAR.recognise(file));
    const { manifest, bodies } = siteOfRecording(await readHar(file), { file });
    assert.equal(manifest.url, 'https://www.live.test/');
    const resources = new Map(
      manifest.resources.map((each) => [`${each.method} ${each.url}`, each]),
    );
    const of = (key: string) => {
      const resource = resources.get(key);
      assert.ok(resource, key);
      return { resource, body: Buffer.from(bodies.get(resource.body ?? '') ?? []) };
    };
    assert.equal(resources.size, 9);
    const document = of('GET https://www.live.test/');
    assert.equal(document.resource.type, 'document');
    assert.match(gunzipSync(document.body).toString(), /naïve, 測試/);
    const cookies = document.resource.headers.filter(([header]) => header === 'set-cookie');
    assert.deepEqual(cookies, [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2; Path=/'],
    ]);
    const style = of('GET https://www.live.test/style.css');
    assert.equal(style.resource.contentEncoding, 'br');
    assert.match(brotliDecompressSync(style.body).toString(), /^@font-face/);
    assert.equal(of('GET https://www.live.test/f.ttf').body.toString('hex'), '00010000fffe0d0a');
    assert.equal(of('GET https://cdn.live.test/moved.gif').resource.status, 302);
    assert.equal(of('GET https://cdn.live.test/frame.html').resource.type, 'iframe');
    assert.equal(of('POST https://www.live.test/count').body.toString(), 'counted');
    assert.equal(of('GET https://www.live.test/data.json?n=1').resource.type, 'xhr');
    assert.equal(manifest.addresses?.['cdn.live.test'], '127.0.0.1');
    assert.match(
      manifest.source,
      /^imported from a HAR made by .+: www\.live\.test, recorded 2026-/,
    );
    assert.ok(manifest.resources.some(({ waitMs }) => (waitMs ?? 0) > 0));
  });
}

for (const name of [
  'odd-devtools.har.gz',
  'odd-devtools-again.har.gz',
  'odd-firefox.har.gz',
  'odd-playwright.har.gz',
  'odd-mitmproxy.har.gz',
]) {
  test(`${name}, of a page that cannot be replayed exactly, becomes one that loads`, async () => {
    const file = path.join(recorded, name);
    const recording = await readHar(file);
    const { manifest, notes: noted } = siteOfRecording(recording, { file });
    const { notes } = answersOf(recording, importBudget(file, IMPORT_LIMITS));
    // Pooled notes of a kind name only the first entry.
    const skipped = [
      ...noted,
      ...[...recording.notes, ...notes].flatMap((note) => noteLines([note])),
    ];
    assert.equal(manifest.url, 'https://odd.test/');
    const resources = new Map(manifest.resources.map((each) => [each.url, each]));
    const of = (path: string) => resources.get(`https://${path}`);
    const document = of('odd.test/');
    assert.deepEqual(
      [document?.type, document?.status, document?.decodedBytes],
      ['document', 200, 449],
    );
    // Those recorded at a second visit had the cookie from the start.
    const signsOn = !/again|firefox/.test(name);
    assert.deepEqual(
      document?.bounces?.map(({ cookie, status, headers }) => [cookie, status, headers]),
      signsOn ? [['session', 302, [['location', 'https://sso.odd.test/?to=odd']]]] : undefined,
    );
    assertEach(documentChainOf(manifest), ({ url }) => url, [
      ...(signsOn ? ['https://sso.odd.test/?to=odd', 'https://odd.test/signed-on'] : []),
      'https://odd.test/',
    ]);
    assert.equal(of('odd.test/style.css')?.decodedBytes, 16);
    // Compressed it had 29 bytes.
    assert.equal(of('odd.test/tiny.js')?.decodedBytes, 9);
    assert.equal(of('cdn.odd.test/frame.html')?.type, 'iframe');
    for (const gone of ['extension.png', 'endless', 'report']) {
      assert.equal(of(`odd.test/${gone}`), undefined, gone);
      assert.ok(
        skipped.some((note) => note.includes(`odd.test/${gone}): skipped, `)),
        gone,
      );
    }
    for (const { url } of manifest.resources) assert.match(url, /^https:\/\/(\w+\.)?odd\.test\//);
  });
}

test('reads gzip as a HAR, under any name, also with a byte order mark', async (t) => {
  const har = `\ufeff${harOf([page])}`;
  for (const [name, content] of [
    ['a.har.gz', gzipSync(har)],
    ['a.bin', gzipSync(har)],
    ['a.json', har],
  ] as const) {
    const file = await harFile(t, content, name);
    assert.ok(await HAR.recognise(file), name);
    assert.equal((await readHar(file)).exchanges.length, 1);
  }
  assert.ok(!(await HAR.recognise(await harFile(t, '{"a":1}', 'a.json'))));
  assert.ok(!(await HAR.recognise(path.join(recorded, 'missing.har'))));
  assert.ok(!(await HAR.recognise(recorded)));
});

test('picks the first HTML page of Firefox, which records no types, as the document, with its redirect', async (t) => {
  const redirect = entryOf({
    url: 'http://a.test/',
    status: 301,
    headers: [['Location', 'https://www.a.test/']],
  });
  const image = entryOf({
    url: 'https://www.a.test/i.png',
    headers: [['content-type', 'image/png']],
    content: { text: 'iVBORw==', encoding: 'base64', size: 4 },
  });
  const content = { text: '<p>', size: 3 };
  const document = entryOf({ url: 'https://www.a.test/', headers: HTML, content });
  const browser = { name: 'Firefox', version: '140.0' };
  const recording = await recordingOf(t, [redirect, image, document], { browser });
  assert.equal(recording.documentUrl, 'http://a.test/');
  assert.match(recording.source, /made by Firefox 140\.0/);
});

test('treats truncated and malformed base64 bodies as not recorded, with the reason', async (t) => {
  const entries = [
    page,
    bodyOf('1', { text: 'x'.repeat(1_048_576), size: 2_000_000 }),
    bodyOf('2', { text: 'AAAA', encoding: 'base64', size: 900 }),
    bodyOf('3', { text: '!!!! no base64', encoding: 'base64' }, [['content-type', 'image/png']]),
    bodyOf('4', { size: 7 }),
    bodyOf('5', { size: 0 }),
    bodyOf('6', { size: 0 }, [['content-length', '7']]),
  ];
  const recording = await recordingOf(t, entries);
  assert.deepEqual(
    recording.exchanges.map(({ body }) => body?.length ?? null),
    [7, null, null, null, null, 0, null],
  );
  assert.deepEqual(whyNoBody(recording).slice(1, 5), [
    'its body was cut off: 1048576 of 2000000 bytes were recorded',
    'its body was cut off: 3 of 900 bytes were recorded',
    'its body is not valid base64',
    undefined,
  ]);
});

test('judges a body as complete by its decoded size, also if its wire size is recorded in that field', async (t) => {
  const gzip: [string, string][] = [['content-encoding', 'gzip']];
  const text = 'x'.repeat(20);
  const cut = bodyOf('cut', { text: 'x'.repeat(500), size: 100 }, gzip, { bodySize: 100 });
  const entries = [
    page,
    // Compressed, a tiny body is larger.
    bodyOf('tiny', { text, size: 40, compression: -20 }, gzip, { bodySize: 40 }),
    bodyOf('unknown', { text, size: 40 }, gzip, { bodySize: 40 }),
    { ...cut, _objectSizeUncompressed: 700 },
    bodyOf('none', { text: '' }, [['content-length', '90']]),
  ];
  const { exchanges, notes } = await recordingOf(t, entries);
  assertEach(exchanges, ({ body }) => body?.length ?? null, [7, 20, 20, null, null]);
  assertEach(exchanges, ({ sizes }) => sizes?.decodedBytes, [7, 20, 20, 700, null]);
  assert.deepEqual(notes, []);
  assert.match(exchanges[3]?.whyNoBody ?? '', /its body was cut off: 500 of 700 bytes/);
});

test("reads a 304 with the browser's body as 200, and drops one without it", async (t) => {
  const kept = (url: string, content: object, headers: [string, string][] = []) =>
    entryOf({ url, status: 304, headers, content });
  const { exchanges, notes } = await recordingOf(t, [
    kept('https://a.test/', { text: '<p>page', size: 7, mimeType: 'text/html' }),
    kept('https://a.test/a.css', { text: 'a{}', size: 3 }, [['content-type', 'text/css']]),
    kept('https://a.test/i.png', { size: 900, mimeType: 'image/png' }),
    kept('https://a.test/gone', { size: 0, mimeType: 'x-unknown' }),
  ]);
  assertEach(exchanges, ({ status, body, headers }) => [status, body?.length ?? null, headers], [
    [200, 7, [['content-type', 'text/html']]],
    [200, 3, [['content-type', 'text/css']]],
    [200, null, [['content-type', 'image/png']]],
    [304, 0, []],
  ]);
  assert.equal(
    noteLines(notes).filter((line) => /^3 times: status 304 became 200/.test(line)).length,
    1,
  );
});

test('excludes requests that failed in the browser, with the reason, and reports of the browser', async (t) => {
  const answered = (path: string, changes: Entry) =>
    entryOf({ url: `https://a.test/${path}`, content: { text: 'x', size: 1 }, ...changes });
  const entries = [
    page,
    answered('1', { response: { _error: 'net::ERR_BLOCKED_BY_ORB' } }),
    answered('2', { response: { _failureText: 'net::ERR_ABORTED' } }),
    answered('3', { response: { _error: null } }),
    answered('4', { more: { _resourceType: 'csp-violation-report' } }),
    answered('5', { requestHeaders: [['Content-Type', 'application/csp-report']] }),
    answered('6', {
      requestHeaders: [['content-type', 'application/reports+json; charset=utf-8']],
    }),
    answered('7', { requestHeaders: [['content-type', 'application/json']] }),
  ];
  const file = await harFile(t, harOf(entries));
  const { manifest, notes } = siteOfRecording(await readHar(file), { file });
  assert.deepEqual(
    manifest.resources.map(({ url }) => new URL(url).pathname),
    ['/', '/3', '/7', '/favicon.ico'],
  );
  assert.deepEqual(notes, [
    '3 times: skipped, a report that the browser sends by itself; first: entry 4 (https://a.test/4)',
    '2 times: skipped, it failed in the browser; first: entry 1 (https://a.test/1): net::ERR_BLOCKED_BY_ORB',
  ]);
});

test('reads a null method as GET, and finds types by the names in programs and requests', async (t) => {
  const frame = { requestHeaders: [['Sec-Fetch-Dest', 'iframe']] as [string, string][] };
  const entries = [
    entryOf({ more: { _request_type: 'Script' } }),
    entryOf({ requestHeaders: [['sec-fetch-dest', 'font']] }),
    entryOf({ more: { _resourceType: 'document' } }),
    entryOf({ ...frame, more: { _resourceType: 'document' } }),
    entryOf({ more: { _resourceType: 'document', _initiator: { type: 'parser' } } }),
    entryOf({ more: { _resourceType: '__proto__' } }),
  ].map((entry) => ({ ...entry, request: { ...entry.request, method: null } }));
  const { exchanges } = await recordingOf(t, entries);
  assert.deepEqual(
    exchanges.map(({ method, type }) => `${method} ${type}`),
    ['GET script', 'GET font', 'GET document', 'GET iframe', 'GET iframe', 'GET null'],
  );
});

test('keeps initiators correct next to excluded entries', async (t) => {
  const { exchanges } = await recordingOf(t, [
    entryOf({ more: { _resourceType: 'csp-violation-report' } }),
    page,
    entryOf({ url: 'https://a.test/s.js', more: { _initiator: { url: 'https://a.test/' } } }),
    entryOf({ url: 'https://a.test/x', more: { _initiator: { url: 'https://a.test/s.js' } } }),
  ]);
  assertEach(exchanges, ({ initiator }) => initiator, [undefined, 0, 1]);
});

test('converts text without a known encoding to UTF-8, and sets its content type', async (t) => {
  for (const [contentType, text, size, expected] of [
    ['text/html; charset=gbk', '測試', 4, 'text/html; charset=utf-8'],
    ['text/html', '測試', 6, 'text/html; charset=utf-8'],
    ['text/html;charset="UTF-8"', '測試', 6, null],
    ['text/html; charset=gbk', 'ascii', 5, null],
  ] as const) {
    const headers: [string, string][] = [
      ['x', '1'],
      ['content-type', contentType],
      ['y', '2'],
    ];
    const entry = entryOf({ headers, content: { text, size } });
    const { exchanges, notes } = await recordingOf(t, [entry]);
    assert.deepEqual(
      exchanges[0]?.headers,
      headers.with(1, ['content-type', expected ?? contentType]),
    );
    assert.equal(notes.length, expected === null ? 0 : 1);
  }
});

test('splits values joined by line feeds into several headers, and drops pseudo-headers', async (t) => {
  const entry = entryOf({
    headers: [
      [':status', '200'],
      ['set-cookie', 'a=1\nb=2'],
      ['x', 'naïve 測'],
    ],
    content: { text: '', size: 0 },
  });
  const { exchanges } = await recordingOf(t, [entry]);
  assert.deepEqual(exchanges[0]?.headers, [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x', Buffer.from('naïve 測').toString('latin1')],
  ]);
});

test('imports the first of several pages, or the named one', async (t) => {
  const content = { text: '<p>' };
  const entries = [
    { ...page, pageref: 'p1' },
    { ...entryOf({ url: 'https://b.test/', headers: HTML, content }), pageref: 'p2' },
    entryOf({ url: 'https://c.test/' }),
  ];
  const pages = [
    { id: 'p1', startedDateTime: '2026-11-20T10:00:00Z' },
    { id: 'p2', startedDateTime: '2026-11-21T10:00:00+01:00' },
  ];
  const file = await harFile(t, harOf(entries, { pages }));
  const first = await readHar(file);
  assertEach(first.exchanges, ({ url }) => url, ['https://a.test/', 'https://c.test/']);
  assert.deepEqual(first.notes, [
    'entries of further pages in this HAR excluded: 1; --document URL selects another page',
  ]);
  const named = await readHar(file, 'https://b.test/');
  assertEach(named.exchanges, ({ url }) => url, ['https://b.test/', 'https://c.test/']);
  assert.equal(named.recordedAt, '2026-11-21T09:00:00.000Z');
  await assert.rejects(
    readHar(file, 'b/index.html'),
    /--document b\/index\.html is not a web address/,
  );
});

test('reads only files next to a HAR that it names as content, from the same folder, never through a link', async (t) => {
  const body = `${sha1Of('inside')}.txt`;
  const link = `${sha1Of('secret')}.txt`;
  const [folderName, other] = [`${sha1Of('folder')}.txt`, `${sha1Of('another')}.txt`];
  const folder = await folderOfFiles(t, {
    [`in/${body}`]: 'inside',
    [`in/${other}`]: 'not what its name says',
    'in/id_rsa': 'secret',
    secret: 'secret',
  });
  await symlink(path.join(folder, 'secret'), path.join(folder, 'in', link));
  await mkdir(path.join(folder, 'in', folderName));
  const files = [
    body,
    'id_rsa',
    other,
    link,
    folderName,
    `${sha1Of('gone')}.txt`,
    `./${body}`,
    `a/../${body}`,
    '../secret',
    path.join(folder, 'secret'),
    '..',
    '',
  ];
  const entries = files.map((file, index) =>
    entryOf({ url: `https://a.test/${index}`, content: { _file: file } }),
  );
  await writeFile(path.join(folder, 'in/page.har'), harOf(entries));
  const recording = await readHar(path.join(folder, 'in/page.har'));
  assert.deepEqual(
    recording.exchanges.map(({ body }) => body && Buffer.from(body).toString()),
    ['inside', ...files.slice(1).map(() => null)],
  );
  assert.match(whyNoBody(recording)[1] ?? '', /^the file with its body is missing.*: "id_rsa"$/);
});

test('rejects damaged files and files that are no HAR by name, with the remedy', async (t) => {
  const cases: [content: string | Uint8Array, message: RegExp][] = [
    ['', /page\.har is not valid JSON/],
    ['{"log":{"entries":[', /page\.har is not valid JSON.*cut off/],
    ['{"log":{}}', /is JSON, but not a HAR: it has no list log\.entries/],
    ['[]', /not a HAR/],
    ['null', /not a HAR/],
    [gzipSync(harOf([page])).subarray(0, 60), /page\.har is damaged: gzip says/],
    [gzipSync(Buffer.alloc(200_000, ' ')), /unpacks to more than 100 kB/],
    [Buffer.alloc(100_001, ' '), /it has 100 kB, and at most 100 kB are read/],
    [harOf(Array(6).fill(page)), /has 6 entries, at most 5/],
    [Buffer.from('PK\x03\x04 and no more'), /the zip is damaged/],
  ];
  for (const [content, message] of cases) {
    const file = await harFile(t, content);
    await assert.rejects(
      readHar(file, null, { ...IMPORT_LIMITS, fileBytes: 100_000, entries: 5 }),
      { name: 'ImportError', message },
      message.source,
    );
  }
});

test('rejects more values than memory can hold before creating them', async (t) => {
  const file = await harFile(t, `{"log":{"entries":[${'{},'.repeat(5_000_000)}{}]}}`);
  await assert.rejects(readHar(file), /more than 10,000,000 values/);
});

test('does not crash on entries of any shape', async (t) => {
  const odd = [
    null,
    1,
    'x',
    [],
    {},
    { request: 7, response: [] },
    {
      request: { url: {}, method: 3, headers: 'x' },
      response: { status: '200', headers: [null, { name: 1 }], content: { text: 5, size: 'x' } },
      timings: { wait: 'x', connect: {} },
      _initiator: 7,
      startedDateTime: 'never',
      serverIPAddress: {},
    },
  ];
  const entries = [
    page,
    ...odd,
    { ...page, _initiator: { url: 'x', stack: { callFrames: [3] } }, __proto__: 1 },
  ];
  const { exchanges } = await recordingOf(t, entries, { pages: [null], browser: 3, _source: 7 });
  assert.equal(exchanges.length, entries.length);
  const { manifest } = siteOfRecording(await recordingOf(t, entries), { file: 'x' });
  assert.equal(manifest.resources.length, 2);
});

test('drops endless headers, and excludes the response', async (t) => {
  const many = entryOf({ url: 'https://a.test/1', headers: Array(5000).fill(['a', 'b']) });
  const lines = entryOf({ url: 'https://a.test/2', headers: [['a', 'b\n'.repeat(100_000)]] });
  const file = await harFile(t, harOf([page, many, lines]));
  const recording = await readHar(file);
  assertEach(recording.exchanges, ({ headers }) => headers.length, [1, 1001, 1001]);
  const { notes } = siteOfRecording({ ...recording, notes: [] }, { file });
  assert.deepEqual(notes, [
    '2 times: skipped, it has more than 1000 headers; first: entry 1 (https://a.test/1)',
  ]);
});

test('rejects a HAR that is too large before reading it', (t) =>
  assertLargeRefused(t, 'page.har', '{"log":'));

test('rejects a HAR that unpacks to more than the limit', (t) => assertBombRefused(t, 'a.har.gz'));
