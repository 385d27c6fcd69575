import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
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

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

const FIXTURE = path.join(FIXTURES, 'bicycle-shop.wprgo');

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const REQUEST = base64('GET / HTTP/1.1\r\nHost: www.a.test\r\nSec-Fetch-Dest: document\r\n\r\n');
const PAGE = base64(
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<link rel="icon" href="data:,">page',
);

async function archived(
  t: TestContext,
  answers: Record<string, unknown[]>,
  limits: Partial<ImportLimits> = {},
) {
  const json = JSON.stringify({ Requests: { 'www.a.test': answers } });
  return archivedBytes(t, gzipSync(json), limits);
}

async function archivedBytes(
  t: TestContext,
  bytes: Uint8Array,
  limits: Partial<ImportLimits> = {},
) {
  const folder = await folderOfFiles(t, { 'a.wprgo': bytes });
  return readArchive(path.join(folder, 'a.wprgo'), null, { ...IMPORT_LIMITS, ...limits });
}

const DOCUMENT = {
  'https://www.a.test/': [{ SerializedRequest: REQUEST, SerializedResponse: PAGE }],
};

test("reads the navigated page of a web-page-replay archive, with types from the browser's requests", async () => {
  const page = await readArchive(FIXTURE);
  assert.equal(page.manifest.importedFrom, 'web-page-replay');
  assert.equal(page.manifest.url, 'https://shop.test/');
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
  assert.match(
    page.manifest.source,
    /^imported from a web-page-replay archive: shop\.test, recorded/,
  );
  assert.deepEqual(documentHeaders(page).at(-1), ['content-encoding', 'gzip']);
});

test('reads an unpacked archive like the packed one', async (t) => {
  const page = await archivedBytes(t, gunzipSync(await readFile(FIXTURE)));
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
});

test('excludes unusable responses, each with a note that names its URL', async (t) => {
  const sound = { SerializedRequest: REQUEST, SerializedResponse: PAGE };
  const page = await archived(t, {
    ...DOCUMENT,
    'https://www.a.test/failed': [{ ...sound, SerializedResponse: null }],
    'https://www.a.test/number': [5],
    'https://www.a.test/base64': [{ ...sound, SerializedResponse: `${PAGE.slice(0, -4)}!!!!` }],
    'https://www.a.test/cut': [{ ...sound, SerializedResponse: PAGE.slice(0, -1) }],
    'https://www.a.test/request': [{ ...sound, SerializedRequest: base64('nonsense') }],
    'https://www.a.test/response': [{ ...sound, SerializedResponse: base64('nonsense') }],
    'https://www.a.test/socket': [{ ...sound, WebSocketMessages: [] }],
    'https://www.a.test/twice': [sound, sound],
  });
  assert.deepEqual(
    page.manifest.resources.map(({ url }) => url),
    ['https://www.a.test/', 'https://www.a.test/twice'],
  );
  const notes = page.notes.join('\n');
  for (const [name, reason] of [
    ['failed', 'it had no response'],
    ['number', 'it is not an object'],
    ['request', 'its request does not begin with a request line'],
    ['response', 'it does not begin with a status line'],
    ['socket', 'it is a WebSocket'],
  ]) {
    assert.match(
      notes,
      new RegExp(`a\\.wprgo, https://www\\.a\\.test/${name}: skipped, ${reason}`),
    );
  }
  assert.match(notes, /2 times: skipped, it is not valid base64; first: a\.wprgo, \S+\/base64$/m);
  assert.match(notes, /\/twice \(answer 2\): skipped/);
});

test('rejects headers that do not end within the limit, with the entry', async (t) => {
  const response = base64(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\nbody`);
  const page = await archived(t, {
    ...DOCUMENT,
    'https://www.a.test/a': [{ SerializedRequest: REQUEST, SerializedResponse: response }],
  });
  assert.equal(page.manifest.resources.length, 1);
  assert.match(page.notes.join('\n'), /\/a: skipped, its headers have more than 256000 bytes/);
});

test('rejects invalid, damaged and too large archives', async (t) => {
  const json = JSON.stringify({ Requests: { 'www.a.test': DOCUMENT } });
  const empty = Buffer.from(`{"Requests":{"a":{"b":[${'{},'.repeat(2_000)}{}]}}}`);
  const cases: [bytes: Uint8Array, limits: Partial<ImportLimits>, message: RegExp][] = [
    [Buffer.from('{"Requests":['), {}, /not valid JSON/],
    [Buffer.from('{"Requests":5}'), {}, /no map "Requests"/],
    [gzipSync(json.slice(0, -1)), {}, /not valid JSON/],
    [gzipSync(`{"Requests":${' '.repeat(1_000_000)}`), { fileBytes: 100_000 }, /more than 100 kB/],
    [Buffer.from(json), { fileBytes: 100 }, /at most 100 bytes are read/],
    // Small in the file, large in memory: detected before parsing.
    [empty, { entries: 10 }, /more than 10 entries/],
  ];
  for (const [bytes, limits, message] of cases) {
    await assert.rejects(archivedBytes(t, bytes, limits), { name: 'ImportError', message });
  }
});

test('rejects a page of a host that no URL can have, even if Node accepts it', async (t) => {
  // Found by fuzzing: `URL.canParse` of this is true, and `new URL` throws (Node 24).
  const url = `https://www.a.te${'A'.repeat(28_388)}st/`;
  const answers = { [url]: [{ SerializedRequest: REQUEST, SerializedResponse: PAGE }] };
  await assert.rejects(archived(t, answers), { name: 'ImportError', message: /a\.wprgo/ });
});

test('shows the page of a web-page-replay archive with --list', (t) =>
  assertPagesListed(t, FIXTURE, 'http://www.shop.test/'));

test('rejects an archive that is too large before reading it', (t) =>
  assertLargeRefused(t, 'page.wprgo', '{"Requests":'));

test('rejects an archive that unpacks to more than the limit', (t) =>
  assertBombRefused(t, 'a.wprgo'));
