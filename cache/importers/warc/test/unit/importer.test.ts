import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { WARCRecord, WARCSerializer } from 'warcio';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { assertFields } from '../../../../../test/unit/assert-fields.ts';
import {
  BICYCLE_SHOP,
  documentHeaders,
  inWords,
} from '../../../../../test/unit/cache/importers/bicycle-shop.ts';
import { folderOfFiles } from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import { assertPagesListed } from '../../../../../test/unit/cache/listed-pages.ts';
import {
  assertBombRefused,
  assertLargeRefused,
} from '../../../../../test/unit/cache/oversize-archives.ts';
import { readArchive } from '../../../../import.ts';
import { IMPORT_LIMITS, type ImportLimits } from '../../../../limits.ts';
import { nearlyEmpty } from '../../../../recorded-requests.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

const OK = 'HTTP/1.1 200 OK\r\n';
const PAGE = `${OK}content-type: text/html\r\n\r\n<link rel="icon" href="data:,">page`;

/** A record in the standard's form. */
function record(
  headers: Record<string, string>,
  block: string | Uint8Array,
  { length = Buffer.byteLength(block), end = '\r\n\r\n' }: { length?: unknown; end?: string } = {},
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const top = `WARC/1.1\r\n${lines.join('')}Content-Length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(top), Buffer.from(block), Buffer.from(end)]);
}

const recordOf =
  (type: string) =>
  (url: string, block: string | Uint8Array, more: Record<string, string> = {}) =>
    record({ 'WARC-Type': type, 'WARC-Target-URI': url, ...more }, block);
const response = recordOf('response');
const resource = recordOf('resource');
const revisit = recordOf('revisit');
const metadata = recordOf('metadata');
const warcinfo = (line: string) => record({ 'WARC-Type': 'warcinfo' }, `${line}\r\n`);

/** As in RFC 4648, without padding. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

const DOCUMENT = response('https://www.a.test/', PAGE);

async function archived(
  t: TestContext,
  content: Uint8Array | Uint8Array[],
  limits: Partial<ImportLimits> = {},
) {
  const bytes = Array.isArray(content) ? Buffer.concat(content) : content;
  const folder = await folderOfFiles(t, { 'page.warc': bytes });
  return readArchive(path.join(folder, 'page.warc'), null, { ...IMPORT_LIMITS, ...limits });
}

test('reads a WARC of wget with its redirect, without chunks and with its coding', async () => {
  const page = await readArchive(path.join(FIXTURES, 'bicycle-shop.warc.gz'));
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
  assert.equal(page.manifest.url, 'https://shop.test/');
  assert.equal(page.manifest.importedFrom, 'warc');
  assert.equal(page.manifest.recordedAt, '2026-11-21T16:23:08.000Z');
  assert.equal(
    page.manifest.source,
    'imported from a WARC made by Wget/1.21.3 (linux-gnu): shop.test, recorded 2026-11-21',
  );
  assert.deepEqual(documentHeaders(page), [
    ['content-type', 'text/html; charset=utf-8'],
    ['set-cookie', 'basket=empty'],
    ['set-cookie', 'visit=1; Path=/'],
    ['content-encoding', 'gzip'],
  ]);
  assert.deepEqual(page.notes, [
    'bicycle-shop.warc.gz, record 5 (http://www.shop.test/): header dropped whose value is not printable ASCII: x-shop',
  ]);
});

test('reads a WARC of warcio, packed and plain', async (t) => {
  for (const gzip of [true, false]) {
    const made = WARCRecord.create(
      {
        type: 'response',
        url: 'https://www.a.test/',
        date: '2026-01-02T03:04:05Z',
        warcHeaders: { 'WARC-IP-Address': '192.0.2.1' },
        httpHeaders: { 'Content-Type': 'text/html' },
      },
      [Buffer.from('<link rel="icon" href="data:,">page')],
    );
    const page = await archived(t, await WARCSerializer.serialize(made, { gzip }));
    assert.deepEqual(inWords(page), ['200 document https://www.a.test/ 35 35']);
    assert.deepEqual(page.manifest.addresses, { 'www.a.test': '192.0.2.1' });
    assert.equal(page.manifest.recordedAt, '2026-01-02T03:04:05.000Z');
  }
});

test('joins a request and its response, whichever of the two names the other', async (t) => {
  const post = 'POST /a HTTP/1.1\r\nhost: www.a.test\r\nsec-fetch-dest: empty\r\n\r\nx=1';
  const page = await archived(t, [
    DOCUMENT,
    response('https://www.a.test/a', `${OK}\r\n1`, { 'WARC-Record-ID': '<urn:uuid:1>' }),
    record({ 'WARC-Type': 'request', 'WARC-Concurrent-To': '<urn:uuid:1>' }, post),
    record({ 'WARC-Type': 'request', 'WARC-Record-ID': '<urn:uuid:2>' }, post),
    response('https://www.a.test/b', `${OK}\r\n1`, { 'WARC-Concurrent-To': '<urn:uuid:2>' }),
  ]);
  const posts = page.manifest.resources.filter(({ method }) => method === 'POST');
  assertEach(posts, ({ url, type }) => [url, type], [
    ['https://www.a.test/a', 'xhr'],
    ['https://www.a.test/b', 'xhr'],
  ]);
});

test('gives a revisit the body of the response with the same digest', async (t) => {
  const digest = { 'WARC-Payload-Digest': 'sha1:A' };
  const page = await archived(t, [
    DOCUMENT,
    response('https://www.a.test/a.js', `${OK}content-type: text/javascript\r\n\r\nsame`, digest),
    revisit(
      'https://www.a.test/b.js',
      `${OK}content-type: text/javascript\r\nx-b: 1\r\n\r\n`,
      digest,
    ),
    revisit('https://www.a.test/c.js', '', { 'WARC-Payload-Digest': 'sha1:B' }),
  ]);
  const repeated = page.manifest.resources.find(({ url }) => url.endsWith('/b.js'));
  assert.equal(repeated?.wireBytes, 4);
  assert.deepEqual(repeated?.headers.at(-1), ['x-b', '1']);
  assert.match(
    page.notes.join('\n'),
    /record 4 \(.*c\.js\): skipped, its body is in another archive/,
  );
});

test("finds a revisit's body by any field of both records, in any position", async (t) => {
  const sha256 = createHash('sha256').update('same').digest();
  const original = {
    'WARC-Record-ID': '<urn:uuid:1>',
    'WARC-Date': '2026-01-02T03:04:05.678Z',
    'WARC-Payload-Digest': `sha256:${base32(sha256)}`,
  };
  const by = (headers: Record<string, string>, index: number) =>
    revisit(`https://www.a.test/${index}.js`, `${OK}\r\n`, headers);
  const refersTo = { 'WARC-Refers-To-Target-URI': 'https://www.a.test/a.js' };
  const says: Record<string, string>[] = [
    { 'WARC-Payload-Digest': `sha-256:${sha256.toString('hex')}` },
    { 'WARC-Refers-To': '<urn:uuid:1>', 'WARC-Payload-Digest': 'sha1:X' },
    { ...refersTo, 'WARC-Refers-To-Date': '2026-01-02T03:04:05Z', 'WARC-Payload-Digest': 'md5:1' },
    refersTo,
    { ...refersTo, 'WARC-Refers-To-Date': '2025-01-01T00:00:00Z' },
  ];
  const revisits = says.map(by);
  const a = response('https://www.a.test/a.js', `${OK}\r\nsame`, original);
  for (const records of [
    [DOCUMENT, a, ...revisits],
    [DOCUMENT, ...revisits, a],
  ]) {
    const { manifest, notes } = await archived(t, records);
    const bytes = manifest.resources.map(({ url, wireBytes }) => [url.slice(19), wireBytes]);
    const same = ['a.js', '0.js', '1.js', '2.js', '3.js'].map((name) => [name, 4]);
    assert.deepEqual(bytes.slice(1).sort(), same.sort());
    assert.match(
      notes.join('\n'),
      /4\.js\): skipped, its body is in another archive: import a folder/,
    );
  }
});

test('gives an unchanged resource its earlier body', async (t) => {
  const ofNothing = { 'WARC-Payload-Digest': 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' };
  const { manifest } = await archived(t, [
    revisit('https://www.a.test/', `${OK}content-type: text/html\r\nx-b: 1\r\n\r\n`, {
      'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/server-not-modified',
      ...ofNothing,
    }),
    DOCUMENT,
    response('https://www.a.test/empty', `${OK}\r\n`, ofNothing),
  ]);
  assertFields(manifest.resources, { length: 2, '0.wireBytes': 35 });
  assert.deepEqual(manifest.resources[0]?.headers.at(-1), ['x-b', '1']);
});

test('encodes a body that a crawler decoded as its server had sent it', async (t) => {
  // Browsers; Common Crawl.
  for (const prefix of ['x-orig-', 'X-Crawler-']) {
    const page = await archived(t, [
      DOCUMENT,
      response(
        'https://www.a.test/a.css',
        `${OK}content-type: text/css\r\n${prefix}content-encoding: br\r\n${prefix}transfer-encoding: chunked\r\n\r\n${'p { margin: 0 } '.repeat(50)}`,
      ),
    ]);
    const styles = page.manifest.resources.find(({ type }) => type === 'stylesheet');
    assertFields(styles, { contentEncoding: 'br', decodedBytes: 800 });
    assert.ok((styles?.wireBytes ?? 800) < 100);
    assertEach(styles?.headers, ([name]) => name, ['content-type', 'content-encoding']);
  }
});

test('reads a resource record as a response without headers, and skips records without traffic', async (t) => {
  const page = await archived(t, [
    DOCUMENT,
    resource('https://www.a.test/a.txt', 'text', { 'Content-Type': 'text/plain' }),
    resource('urn:view:https://www.a.test/', 'png'),
    metadata('https://www.a.test/', 'a: b'),
    response('dns:www.a.test', '192.0.2.1'),
  ]);
  assert.deepEqual(inWords(page), [
    '200 document https://www.a.test/ 35 35',
    '200 other https://www.a.test/a.txt 4 4',
  ]);
  assert.deepEqual(page.notes, []);
});

test('excludes partial records with a note', async (t) => {
  const { manifest, notes } = await archived(t, [
    DOCUMENT,
    response('https://www.a.test/a', `${OK}\r\nhal`, { 'WARC-Truncated': 'length' }),
    response('https://www.a.test/b', `${OK}\r\nhal`, { 'WARC-Segment-Number': '1' }),
    response('https://www.a.test/c', 'no status line'),
    response('https://www.a.test/d', `${OK}content-length: 9\r\n\r\nshort`),
  ]);
  assert.equal(manifest.resources.length, 2);
  assert.match(notes[0] ?? '', /record 2 .*only the beginning of it \(length\)/);
  assert.match(notes[1] ?? '', /record 3 .*in several parts/);
  assert.match(notes[2] ?? '', /record 4 .*does not begin with a status line/);
  assert.match(
    notes[3] ?? '',
    /record 5 .*content-length corrected: it was 9, the body has 5 bytes/,
  );
});

test('excludes a redirect to a resource of an extension, with a note', async (t) => {
  const redirect =
    'HTTP/1.1 307 Internal Redirect\r\nlocation: chrome-extension://abcd/tiny.js\r\n';
  const page = await archived(t, [
    DOCUMENT,
    response('https://www.a.test/tiny.js', `${redirect}\r\n`),
  ]);
  assert.deepEqual(inWords(page), ['200 document https://www.a.test/ 35 35']);
  assert.deepEqual(page.notes, [
    'page.warc, record 2 (https://www.a.test/tiny.js): skipped, it redirects to an address that cannot be served: chrome-extension://abcd/tiny.js',
  ]);
});

test('rejects a damaged WARC, and names the damaged record', async (t) => {
  const about = { 'WARC-Type': 'response', 'WARC-Target-URI': 'https://www.a.test/b' };
  const cases: [damaged: Buffer, message: RegExp][] = [
    [
      record(about, 'ab', { length: 500 }),
      /record 2 .*\/b\): damaged, it was truncated: 6 of 500 byte/,
    ],
    [record(about, 'abcdef', { length: 2 }), /record 2 .*more than the 2 bytes/],
    [record(about, 'ab', { length: '-1' }), /record 2 .*Content-Length is "-1"/],
    [record(about, 'ab', { length: '2, 2' }), /record 2 .*Content-Length is "2, 2"/],
    [Buffer.from('nonsense\r\n\r\n'), /record 2: damaged, .*this one with "nonsense"/],
    [Buffer.from('\r\nnonsense\r\n'), /record 2: damaged, .*this one with "nonsense"/],
    [Buffer.from('WARC/1.0\r\n'), /record 2: damaged, its Content-Length is ""/],
    [Buffer.alloc(400_000, 'WARC/1.0\r\nA: b\r\n'), /own headers have more than 256000 bytes/],
    [Buffer.alloc(400_000, '\r'), /record 1 .*after it come more than 256000 empty bytes/],
  ];
  for (const [damaged, message] of cases) {
    await assert.rejects(archived(t, [DOCUMENT, damaged]), { name: 'ImportError', message });
  }
});

test('accepts any number of empty lines between records, and lines that end in LF alone', async (t) => {
  const second = { 'WARC-Type': 'response', 'WARC-Target-URI': 'https://www.a.test/b' };
  const block = `${OK}\r\nb`;
  const lineFeeds = `WARC/1.0\nWARC-Type: response\nWARC-Target-URI: <https://www.a.test/b>\nContent-Length: ${block.length}\n\n${block}\n\n`;
  const cases: (Buffer | string)[][] = [
    ...['', '\n', '\r\n', '\n\n', '\r\n \r\n\n\r\n\r\n'].map((end) => [
      record(second, block, { end }),
      DOCUMENT,
    ]),
    ['\r\n\n', record(second, block), DOCUMENT],
    [DOCUMENT, lineFeeds],
    [lineFeeds, DOCUMENT],
  ];
  for (const records of cases) {
    const buffers = records.map((each) => Buffer.from(each));
    for (const content of [Buffer.concat(buffers), ...[buffers.map((each) => gzipSync(each))]]) {
      const page = await archived(t, content);
      assert.deepEqual(inWords(page), [
        '200 document https://www.a.test/ 35 35',
        '200 other https://www.a.test/b 1 1',
      ]);
    }
  }
});

test('takes the page from the first record of the WARC', async (t) => {
  const other = response('http://b.test/', PAGE);
  const cases: [line: string, url: string][] = [
    ['wget-arguments: "-p" "-D" "www.a.test" "http://b.test"', 'https://b.test/'],
    ['wget-arguments: "--page-requisites" "b.test"', 'https://b.test/'],
    ['wpull-argv: ["--page-requisites", "http://b.test/"]', 'https://b.test/'],
    [
      'json-metadata: {"type": "recording", "pages": [{"url": "http://b.test/", "title": "B"}]}',
      'https://b.test/',
    ],
    ['json-metadata: {', 'https://www.a.test/'],
    ['wget-arguments: "http://missing.test/"', 'https://www.a.test/'],
    ['software: a', 'https://www.a.test/'],
  ];
  for (const [line, url] of cases) {
    const page = await archived(t, [warcinfo(`software: a\r\n${line}`), DOCUMENT, other]);
    assert.equal(page.manifest.url, url, line);
  }
});

test('takes the page that led a crawler to a URL as its referrer', async (t) => {
  const frame = response('https://ads.test/', PAGE);
  const referral = metadata(
    'https://ads.test/',
    'via: https://www.a.test/\r\nhopsFromSeed: E\r\nfetchTimeMs: 12\r\n',
  );
  assert.equal((await archived(t, [frame, DOCUMENT])).manifest.url, 'https://ads.test/');
  assert.equal(
    (await archived(t, [frame, referral, DOCUMENT])).manifest.url,
    'https://www.a.test/',
  );
});

test('reads the WARCs of a folder as one archive', async (t) => {
  const parts = await readArchive(path.join(FIXTURES, 'parts'));
  assertFields(parts, { 'manifest.importedFrom': 'warc', notes: [] });
  assert.deepEqual(inWords(parts), [
    '200 document https://www.shop.test/ 203 203',
    '200 iframe https://www.shop.test/map.html 51 51',
    '200 image https://www.shop.test/bell.gif 35 35',
    '200 image https://www.shop.test/pin.gif 35 35',
    '200 script https://cdn.shop.test/shop.js 30 30',
    '200 stylesheet https://www.shop.test/shop.css 21 21',
    '204 other https://www.shop.test/favicon.ico 0 0',
  ]);
  const digest = { 'WARC-Payload-Digest': 'sha1:A' };
  const about = { 'WARC-Type': 'revisit', 'WARC-Target-URI': 'https://www.a.test/a' };
  const folder = await folderOfFiles(t, {
    'archive/0.warc': record({ ...about, ...digest }, `${OK}\r\n`),
    'archive/1.warc.gz': gzipSync(
      Buffer.concat([DOCUMENT, response('https://www.a.test/b', `${OK}\r\nb`, digest)]),
    ),
    'pages/pages.jsonl': '{"format":"json-pages-1.0"}\n{"url":"https://www.a.test/"}\n',
    'crawl.log': 'done',
  });
  assert.deepEqual(inWords(await readArchive(folder)), [
    '200 document https://www.a.test/ 35 35',
    '200 other https://www.a.test/a 1 1',
    '200 other https://www.a.test/b 1 1',
  ]);
});

test('rejects an ARC by its name, with the way to convert it', async (t) => {
  const about = '1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n';
  const arc = Buffer.from(
    `filedesc://a.arc 0.0.0.0 20080430204825 text/plain ${about.length}\n${about}\nhttp://www.a.test/ 127.0.0.1 20080430204826 text/html ${PAGE.length}\n${PAGE}\n`,
  );
  for (const [name, content] of [
    ['a.arc', arc],
    ['a.arc.gz', gzipSync(arc)],
  ] as const) {
    const folder = await folderOfFiles(t, { [name]: content });
    await assert.rejects(readArchive(path.join(folder, name)), {
      name: 'ImportError',
      message: /is an ARC, the predecessor of WARC.* warcio recompress a\.arc\S* a\.warc\.gz$/,
    });
  }
});

test('accepts a record without its end from a writer that was stopped', async (t) => {
  const whole = response('https://www.a.test/', PAGE);
  for (const missing of [1, 2, 3, 4]) {
    const page = await archived(t, whole.subarray(0, -missing));
    assert.equal(page.manifest.resources.length, 1);
  }
});

test('rejects a damaged gzip, wherever the damage is', async (t) => {
  const packed = gzipSync(DOCUMENT);
  const flipped = Buffer.from(packed);
  flipped[20] = (flipped[20] ?? 0) ^ 0xff;
  const cases: [damaged: Buffer[], message: RegExp][] = [
    [[packed.subarray(0, -9)], /damaged, gzip says unexpected end of file/],
    [[flipped], /damaged, gzip says/],
    [[packed, Buffer.from('what is this')], /damaged, gzip says/],
    [[packed, Buffer.alloc(12), packed], /damaged, .*from byte \d+ on is not gzip/],
  ];
  for (const [damaged, message] of cases) {
    await assert.rejects(archived(t, damaged), { name: 'ImportError', message });
  }
});

test('rejects an archive that unpacks to more than the limits before unpacking it', async (t) => {
  const bomb = gzipSync(record({ 'WARC-Type': 'metadata' }, Buffer.alloc(5_000_000)));
  await assert.rejects(archived(t, bomb, { totalBytes: 1_000_000 }), {
    name: 'ImportError',
    message: /unpacks to, more than 1 MB/,
  });
  await assert.rejects(archived(t, bomb, { bodyBytes: 1_000_000 }), {
    name: 'ImportError',
    message: /record 1: the body has 5,000,000 bytes or more/,
  });
  const many = Buffer.concat(Array.from({ length: 11 }, () => record({}, '')));
  await assert.rejects(archived(t, many, { entries: 10 }), {
    name: 'ImportError',
    message: /more than 10 entries/,
  });
});

test('rejects a document without a usable response, with the reason', async (t) => {
  await assert.rejects(
    readArchive(path.join(FIXTURES, 'status-0.warc')),
    /no response is an HTML page \(excluded: .*record 1 \(https:\/\/w\.example\/\): it does not begin with a status line: "HTTP\/1\.1 0 OK"\)/,
  );
  const url = 'https://www.a.test/';
  const frame = response('https://www.a.test/frame', PAGE);
  const named = warcinfo(`wget-arguments: "--page-requisites" "${url}"`);
  for (const [block, more, reason] of [
    ['HTTP/1.1  200 OK\r\n\r\nx', {}, /status line: "HTTP\/1\.1 {2}200 OK"/],
    ['HTTP 200\r\n\r\nx', {}, /status line: "HTTP 200"/],
    [`${OK}\r\nhal`, { 'WARC-Truncated': 'length' }, /only the beginning of it \(length\)/],
    [`${OK}\r\nhal`, { 'WARC-Segment-Number': '1' }, /in several parts/],
    [OK.replace('200', '304'), {}, /status 304 does not answer a first request/],
  ] as const) {
    const page = response(url, block, more);
    await assert.rejects(archived(t, [page]), reason);
    if (reason.source.includes('304')) continue;
    // A frame is not taken for the page that the archive names.
    await assert.rejects(archived(t, [named, page, frame]), reason);
    const redirect = response('https://b.test/', `HTTP/1.1 302 Found\r\nlocation: ${url}\r\n\r\n`);
    const first = warcinfo('wget-arguments: "https://b.test/"');
    await assert.rejects(archived(t, [first, redirect, page]), reason);
  }
});

test('counts revisits with bodies elsewhere as lost, in one note', async (t) => {
  const { manifest, notes } = await readArchive(path.join(FIXTURES, 'revisits-alone.warc'));
  assert.deepEqual(manifest.requests, { recorded: 7, answered: 1 });
  assert.ok(nearlyEmpty(manifest));
  assert.deepEqual(notes, [
    '6 times: skipped, its body is in another archive; first: revisits-alone.warc, record 2 (https://w.example/i0.png): import a folder with all WARCs of the crawl',
  ]);
  // A server that reported no change.
  const profile = 'http://netpreserve.org/warc/1.1/revisit/server-not-modified';
  const unchanged = (url: string) =>
    revisit(url, 'HTTP/1.1 304 Not Modified\r\n\r\n', { 'WARC-Profile': profile });
  const page = await archived(t, [
    DOCUMENT,
    unchanged('https://www.a.test/'),
    unchanged('https://www.a.test/1'),
    unchanged('https://www.a.test/2'),
  ]);
  assertFields(page, { 'manifest.requests': { recorded: 3, answered: 1 }, 'notes.length': 1 });
});

test("takes the page of a Browsertrix record as the document, not a frame's", async (t) => {
  const info = resource('urn:pageinfo:https://www.a.test/', '{"pageid":"1","urls":{}}');
  const frame = response('https://www.a.test/frame', PAGE);
  for (const records of [
    [frame, DOCUMENT, info],
    [info, frame, DOCUMENT],
  ]) {
    const { manifest } = await archived(t, records);
    assert.equal(manifest.url, 'https://www.a.test/');
  }
});

test('accepts NUL behind the last record as padding', async (t) => {
  for (const bytes of [1, 512, 100_000]) {
    const { manifest } = await archived(t, [DOCUMENT, Buffer.alloc(bytes)]);
    assert.equal(manifest.url, 'https://www.a.test/');
  }
  await assert.rejects(archived(t, [DOCUMENT, Buffer.from('\0x\r\n')]), /a record begins with/);
});

test('rejects a WARC packed by Zstandard, with the command that unpacks it', async (t) => {
  const dictionary = Buffer.from('5d2a4d1804000000aabbccdd', 'hex');
  for (const content of [
    zstdCompressSync(DOCUMENT),
    Buffer.concat([dictionary, zstdCompressSync(DOCUMENT)]),
  ]) {
    const folder = await folderOfFiles(t, { 'a.warc.zst': content });
    await assert.rejects(
      readArchive(path.join(folder, 'a.warc.zst')),
      /is compressed by Zstandard.* zstd -d a\.warc\.zst -o a\.warc$/,
    );
  }
});

test('rejects a PDF as the document', async (t) => {
  const pdf = `${OK}content-type: application/pdf\r\n\r\n%PDF-1.7`;
  const info = warcinfo('wget-arguments: "https://www.a.test/a.pdf"');
  const page = [info, response('https://www.a.test/a.pdf', pdf)];
  await assert.rejects(archived(t, page), /a\.pdf is a PDF/);
  const { manifest } = await archived(t, [DOCUMENT, response('https://www.a.test/a.pdf', pdf)]);
  assert.equal(manifest.resources.length, 2);
});

test('shows the pages of WARCs with --list', async (t) => {
  const warc = path.join(FIXTURES, 'bicycle-shop.warc.gz');
  await assertPagesListed(t, warc, 'http://shop.test/', 'http://www.shop.test/');
  const parts = path.join(FIXTURES, 'parts');
  await assertPagesListed(t, parts, 'http://www.shop.test/', 'http://www.shop.test/map.html');
});

test('rejects a WARC that is too large before reading it', (t) =>
  assertLargeRefused(t, 'page.warc', 'WARC/1.0\r\nContent-Length: 1900000000\r\n\r\n'));

test('rejects a WARC that unpacks to more than the limit', (t) =>
  assertBombRefused(t, 'a.warc.gz'));
