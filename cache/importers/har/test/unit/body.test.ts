import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { folderOfFiles } from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import { readArchive } from '../../../../import.ts';

const recorded = path.join(import.meta.dirname, 'recorded');
const PAGE =
  '<!doctype html><title>t</title><link rel=stylesheet href=/a.css><img src=/a.png><script src=/a.js></script><p>naïve</p>';
/** A picture of one pixel, with all kinds of bytes. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAoCAIAAAADnC86AAAAL0lEQVR42u3NMQ0AAAgDsCmZfynIwgQJT37NtC8iFovFYrFYLBaLxWKxWCwWi8VisfjTLJABAV+C2kCIAAAAAElFTkSuQmCC',
  'base64',
);
const CP1252 = new TextDecoder('windows-1252');

async function siteOf(t: TestContext, entries: object[]) {
  const har = JSON.stringify({ log: { version: '1.2', entries } });
  const folder = await folderOfFiles(t, { 'a.har': har });
  return readArchive(path.join(folder, 'a.har'));
}

function pageEntry(
  content: object,
  url = 'https://a.test/',
  method = 'GET',
  status: unknown = 200,
) {
  const headers = [{ name: 'content-type', value: 'text/html' }];
  return { request: { method, url, headers: [] }, response: { status, headers, content } };
}

/** The body of one entry as served and without its coding, or why it is missing. */
async function bodyOf(
  t: TestContext,
  content: object,
  {
    type = 'image/png',
    headers = {},
    bodySize = -1,
  }: { type?: string; headers?: Record<string, string>; bodySize?: number } = {},
) {
  const entry = (url: string, contentType: string, own: object, more = {}, size = -1) => ({
    startedDateTime: '2026-11-21T10:00:00.000Z',
    request: { method: 'GET', url, headers: [] },
    response: {
      status: 200,
      bodySize: size,
      headers: Object.entries({ 'content-type': contentType, ...more }).map(([name, value]) => ({
        name,
        value,
      })),
      content: { size: -1, ...own },
    },
  });
  const entries = [
    entry('https://a.test/', 'text/html', { text: '<p>' }),
    entry('https://a.test/x', type, content, headers, bodySize),
  ];
  const { manifest, bodies, notes } = await siteOf(t, entries);
  const resource = manifest.resources.find(({ url }) => url === 'https://a.test/x');
  if (!resource) return notes.join('\n');
  const body = Buffer.from(bodies.get(resource.body ?? '') ?? []);
  return { body, notes, coding: resource.contentEncoding, decodedBytes: resource.decodedBytes };
}

/** As `bodyOf`, for an entry with a body. */
async function foundBody(...given: Parameters<typeof bodyOf>) {
  const found = await bodyOf(...given);
  assert.ok(typeof found !== 'string', `left out: ${found}`);
  return found;
}

const SIZES: Record<string, Record<string, number>> = {
  'base64-said': { '/': 130, '/a.css': 16, '/a.png': 104, '/a.js': 20 },
  'base64-untold': { '/': 130, '/a.css': 16, '/a.png': 104, '/a.js': 20 },
  'binary-as-text': { '/': 130, '/a.css': 16, '/a.png': 104, '/a.js': 20 },
  'body-as-sent': { '/': 118, '/a.css': 36, '/a.png': 104, '/a.js': 40 },
  'empty-first': { '/': 130, '/a.css': 16, '/a.png': 104, '/a.js': 20 },
  'length-differs': { '/': 130, '/a.css': 16, '/a.png': 104, '/a.js': 20 },
};
for (const [name, sizes] of Object.entries(SIZES)) {
  test(`reads ${name}.har as a page with the bytes that were sent`, async () => {
    const { manifest } = await readArchive(path.join(recorded, `${name}.har`));
    assert.equal(manifest.kind, 'imported');
    const wire = manifest.resources.map(({ url, wireBytes }) => [new URL(url).pathname, wireBytes]);
    assert.deepEqual({ '/favicon.ico': 0, ...sizes }, Object.fromEntries(wire));
    const decoded = manifest.resources.reduce((sum, { decodedBytes }) => sum + decodedBytes, 0);
    assert.equal(decoded, 270);
  });
}

test('finds the bytes of a picture in unannounced base64', async (t) => {
  const text = PNG.toString('base64');
  for (const content of [
    { text, size: PNG.length },
    { text },
    // The length of the text.
    { text, size: text.length },
    { text: text.replace(/.{76}/g, '$&\r\n'), size: PNG.length },
    { text: PNG.toString('base64url'), size: PNG.length },
    { text: text.replace(/.{76}/g, '$& '), size: PNG.length, encoding: 'base64' },
    { text: `data:image/png;base64,${text}`, size: PNG.length },
    { text: `data:image/png;base64,${text}`, size: PNG.length, encoding: 'base64' },
  ]) {
    const { body, notes } = await foundBody(t, content);
    assert.ok(body.equals(PNG), JSON.stringify(content));
    assert.deepEqual(notes, []);
  }
  const length = { headers: { 'content-length': `${PNG.length}` } };
  assert.ok((await foundBody(t, { text, size: text.length }, length)).body.equals(PNG));
  const style = Buffer.from('body{color:red}').toString('base64');
  const css = await foundBody(t, { text: style, size: 15 }, { type: 'text/css' });
  assert.equal(css.body.toString(), 'body{color:red}');
});

test('keeps a text that happens to be base64', async (t) => {
  for (const [text, type] of [
    ['d41d8cd98f00b204e9800998ecf8427e', 'application/octet-stream'],
    ['NotFound', 'image/png'],
    ['true', 'application/json'],
    ['abcdefgh', 'text/plain'],
  ] as const) {
    const { body } = await foundBody(t, { text, size: text.length }, { type });
    assert.equal(body.toString(), text);
  }
});

test('finds the bytes of a picture with a character for each byte', async (t) => {
  for (const content of [
    { text: PNG.toString('latin1'), size: PNG.length },
    { text: PNG.toString('latin1') },
    { text: PNG.toString('latin1'), size: Buffer.byteLength(PNG.toString('latin1')) },
    { text: CP1252.decode(PNG), size: PNG.length },
  ]) {
    const { body, notes } = await foundBody(t, content);
    assert.ok(body.equals(PNG), JSON.stringify(content));
    assert.deepEqual(notes, []);
  }
  const font = await foundBody(t, { text: 'wOF2\0\x01\0\0é', size: 9 }, { type: 'font/woff2' });
  assert.equal(font.body.toString('latin1'), 'wOF2\0\x01\0\0é');
  // UTF-8 that was read as Latin-1.
  const misread = { text: Buffer.from('naïve').toString('latin1'), size: 6 };
  const { body } = await foundBody(t, misread, { type: 'text/plain; charset=utf-8' });
  assert.equal(body.toString(), 'naïve');
});

test('excludes a picture of which bytes were lost in a text', async (t) => {
  const text = PNG.toString('utf8');
  for (const size of [PNG.length, -1, Buffer.byteLength(text)]) {
    assert.match(
      (await bodyOf(t, { text, size })) as string,
      /recorded as text, which loses bytes/,
    );
  }
});

test('keeps an error page under the content type of a picture', async (t) => {
  for (const text of ['<h1>404 Not Found</h1>', '<h1>指定されたページがありません</h1>']) {
    const { body } = await foundBody(t, { text, size: Buffer.byteLength(text) });
    assert.equal(body.toString(), text);
  }
});

test('keeps bodies as they were sent in the coding that the headers name', async (t) => {
  const text = Buffer.from(PAGE.repeat(20));
  for (const [coding, sent] of [
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['x-gzip', gzipSync(text)],
  ] as const) {
    const base64 = { text: sent.toString('base64'), encoding: 'base64' };
    const of = async (content: object, length?: number) => {
      const headers = {
        'content-encoding': coding,
        ...(length === undefined ? {} : { 'content-length': `${length}` }),
      };
      const found = await foundBody(t, content, { type: 'text/html', headers });
      assert.ok(found.body.equals(sent), `${coding} ${JSON.stringify(content).slice(-60)}`);
      assert.equal(found.coding, coding.replace('x-', ''));
      assert.equal(found.decodedBytes, text.length);
    };
    await of({ ...base64, size: sent.length }, sent.length);
    // By HTTP/2 and in chunks there is no length.
    await of({ ...base64, size: sent.length });
    await of({ ...base64, size: text.length });
    await of(base64);
    await of({ text: sent.toString('base64'), size: sent.length });
    await of({ text: sent.toString('latin1'), size: sent.length });
  }
});

test('compresses decoded bodies again, including those that are packed themselves', async (t) => {
  const headers = { 'content-encoding': 'gzip' };
  const html = await foundBody(t, { text: PAGE, size: 121 }, { type: 'text/html', headers });
  assert.equal(gunzipSync(html.body).toString(), PAGE);
  const archive = gzipSync('a file');
  const content = { text: archive.toString('base64'), encoding: 'base64', size: archive.length };
  const found = await foundBody(t, content, { type: 'application/gzip', headers });
  assert.ok(gunzipSync(found.body).equals(archive));
});

test('reads a text that is wrongly declared base64 as plain text', async (t) => {
  for (const [text, size] of [
    [PAGE, Buffer.byteLength(PAGE)],
    ['let a = 1;', -1],
    ['hello world', -1],
    ['true', 4],
    ['function', 8],
  ] as const) {
    const { body } = await foundBody(
      t,
      { text, size, encoding: 'base64' },
      { type: 'text/javascript; charset=utf-8' },
    );
    assert.equal(body.toString(), text);
  }
});

test('keeps a body that differs from its Content-Length, with a note', async (t) => {
  for (const [length, size, bodySize] of [
    [99_999, 3, 3],
    [99_999, 3, -1],
    [99_999, 3, 0],
    [99_999, -1, -1],
    [1, 3, 3],
  ] as const) {
    const headers = { 'content-length': `${length}` };
    const { body, notes } = await foundBody(
      t,
      { text: 'a{}', size },
      { type: 'text/css', headers, bodySize },
    );
    assert.equal(body.toString(), 'a{}');
    assert.match(
      notes.join(),
      new RegExp(`content-length corrected: it was ${length}, .* 3 bytes`),
    );
  }
});

test('reads a status that is written as text, and keeps the response that has bytes', async (t) => {
  const entry = (status: unknown, content: object, url = 'https://a.test/') =>
    pageEntry(content, url, 'GET', status);
  for (const status of ['200', '200 OK', 200]) {
    const entries = [
      entry(status, { size: 0, text: '' }),
      entry(status, { size: 7, text: '<p>page' }),
      entry('204', { size: 0 }, 'https://a.test/count'),
      entry('abc', { size: 1, text: 'x' }, 'https://a.test/no'),
    ];
    const { manifest } = await siteOf(t, entries);
    assertEach(manifest.resources, (each) => [each.url, each.status, each.decodedBytes], [
      ['https://a.test/', 200, 7],
      ['https://a.test/count', 204, 0],
      ['https://a.test/favicon.ico', 204, 0],
    ]);
  }
});

test('explains why a page is generated, and why a page that answers a POST is not loaded', async (t) => {
  const cut = await siteOf(t, [
    pageEntry({ size: 900, text: '<p>page' }),
    pageEntry({ size: 2, text: 'ok' }, 'https://a.test/frame'),
  ]);
  assert.match(
    cut.manifest.source,
    /without the body of its document \(its body was cut off: 7 of 900 bytes were recorded\)/,
  );
  const post = pageEntry({ size: 7, text: '<p>post' }, 'https://a.test/find', 'POST');
  await assert.rejects(
    siteOf(t, [post]),
    /no response is an HTML page \(entry 0 \(https:\/\/a\.test\/find\) answers a POST, and a load begins with a GET\)/,
  );
  const both = await siteOf(t, [pageEntry({ size: 7, text: '<p>page' }), post]);
  assert.equal(both.manifest.url, 'https://a.test/');
  assert.deepEqual(both.notes, [
    'entry 1 (https://a.test/find): cannot be the document, since it answers a POST, and a load begins with a GET',
  ]);
});
