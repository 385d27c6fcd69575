import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { runImport } from '../../../../../test/unit/cache/command-output.ts';
import { folderOfFiles } from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import { assertPagesListed } from '../../../../../test/unit/cache/listed-pages.ts';
import { readArchive } from '../../../../import.ts';
import { IMPORT_LIMITS } from '../../../../limits.ts';
import { readManifest } from '../../../../manifest.ts';
import { isZip, openZip, zipHasName } from '../../../zip-archive.ts';

const RECORDED = path.join(import.meta.dirname, 'recorded');

test('recognizes HARs of every kind', async (t) => {
  const sites = path.join(await folderOfFiles(t, {}), 'sites');
  await mkdir(sites);
  const folderOf = (site: string) => path.join(sites, site);
  for (const [archive, kind] of [
    ['devtools.har', 'imported'],
    ['playwright.har.zip', 'imported'],
    ['devtools-without-bodies.har', 'generated'],
  ] as const) {
    const file = path.join(RECORDED, archive);
    const { status, errors } = await runImport(folderOf, file, '--name', 'found');
    assert.equal(status, 0, errors);
    const manifest = await readManifest(folderOf('found'));
    assert.deepEqual([manifest.importedFrom, manifest.kind], ['har', kind]);
  }
});

test('shows the pages of a HAR with --list', async (t) => {
  const entry = (url: string, pageref: string, mimeType: string) => ({
    pageref,
    request: { method: 'GET', url, headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: mimeType }],
      content: { text: '<p>page', mimeType },
    },
  });
  const folder = await folderOfFiles(t, {
    'two.har': JSON.stringify({
      log: {
        pages: [{ id: 'p1', title: 'One' }, { id: 'p2' }],
        entries: [
          entry('https://a.test/', 'p1', 'text/html'),
          entry('https://a.test/frame', 'p1', 'text/html'),
          entry('https://a.test/a.css', 'p2', 'text/css'),
          entry('https://a.test/two', 'p2', 'text/html; charset=utf-8'),
        ],
      },
    }),
  });
  const cases: [archive: string, ...pages: string[]][] = [
    [path.join(RECORDED, 'playwright.har'), 'https://www.live.test/  Small page'],
    // From a second visit: the document is in the browser's cache.
    [path.join(RECORDED, 'odd-devtools-again.har.gz'), 'http://odd.test/'],
    [path.join(RECORDED, 'odd-firefox.har.gz'), 'http://odd.test/'],
    [path.join(folder, 'two.har'), 'https://a.test/  One', 'https://a.test/two'],
  ];
  for (const [archive, ...pages] of cases) await assertPagesListed(t, archive, ...pages);
});

test('prints no terminal commands from a HAR', async (t) => {
  const entry = (url: string, mimeType: string) => ({
    request: { method: 'GET', url, headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: mimeType }],
      content: { text: '<p>' },
    },
  });
  const entries = [
    entry('https://a.test/', 'text/html'),
    ...Array(80).fill(entry('https:\u001b[2J,x', 'text/css')),
  ];
  const folder = await folderOfFiles(t, {
    'odd.har': JSON.stringify({ log: { entries, _source: 'a \u001b[31m source' } }),
  });
  const folderOf = (site: string) => path.join(folder, site);
  const { status, out } = await runImport(folderOf, path.join(folder, 'odd.har'));
  assert.equal(status, 0);
  assert.ok(!out.includes('\u001b'));
  assert.match(out, /a \?\[31m source/);
  assert.deepEqual(
    out.split('\n').filter((line) => line.includes('note: ')),
    [
      '  note: 80 times: skipped, not a web address that can be served; first: entry 1 (https:?[2J,x)',
    ],
  );
});

test('generates a page from a DevTools HAR without bodies, with its types, hosts and order', async () => {
  const file = path.join(RECORDED, 'devtools-without-bodies.har');
  const { manifest, bodies } = await readArchive(file);
  assertEach(manifest.resources, ({ type, method, status }) => `${type} ${method} ${status}`, [
    'document GET 200',
    'stylesheet GET 200',
    'image GET 302',
    'script GET 200',
    'iframe GET 200',
    'xhr GET 200',
    'xhr POST 200',
    'font GET 200',
    'image GET 200',
  ]);
  assert.deepEqual(
    [...new Set(manifest.resources.map(({ url }) => new URL(url).host))],
    ['www.live.test', 'host1.www-live-test.test'],
  );
  assert.equal(
    manifest.resources[2]?.headers.find(([name]) => name === 'location')?.[1],
    manifest.resources[8]?.url,
  );
  assert.equal(manifest.kind, 'generated');
  assert.match(
    manifest.source,
    /^generated from the sizes in a HAR made by WebInspector .*, without bodies/,
  );
  const html = Buffer.from(bodies.get(manifest.resources[0]?.body ?? '') ?? []).toString();
  assert.match(
    html,
    /<title>Generated from the sizes of www\.live\.test, recorded 2026-11-21<\/title>/,
  );
});

test('generates a page from a WebPageTest HAR, with its decoded sizes and its base page', async (t) => {
  const entry = (url: string, more: object, contentType: string, bytes: number) => ({
    startedDateTime: '2026-11-21T10:00:00.000Z',
    pageref: 'page_1_0_1',
    request: { method: null, url, headers: [] },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Type', value: contentType },
        { name: 'Content-Encoding', value: 'gzip' },
      ],
      content: { size: bytes, mimeType: contentType },
      bodySize: bytes,
    },
    ...more,
  });
  const log = {
    creator: { name: 'WebPagetest', version: '21.07' },
    pages: [{ id: 'page_1_0_1', title: 'Run 1, First View for a test' }],
    entries: [
      entry('https://ads.test/', { _objectSizeUncompressed: 900 }, 'text/html', 300),
      entry(
        'https://www.a.test/',
        { _objectSizeUncompressed: '30000', _final_base_page: true, _request_type: 'Document' },
        'text/html',
        8000,
      ),
      entry('https://www.a.test/s.js', { _request_type: 'Script' }, 'text/javascript', 0),
    ],
  };
  // As in some older ones: neither sizes nor a length, but the received bytes.
  Object.assign(log.entries[2] as object, { _bytesIn: 5000 });
  const folder = await folderOfFiles(t, { 'page.har': JSON.stringify({ log }) });
  const { manifest } = await readArchive(path.join(folder, 'page.har'));
  const [page, ...rest] = manifest.resources;
  assert.equal(manifest.kind, 'generated');
  assert.equal(page?.url, 'https://www.a.test/');
  assert.equal(page?.decodedBytes, 30_000);
  assert.ok(Math.abs((page?.wireBytes ?? 0) - 8000) <= 160);
  assertEach(rest, ({ type, method, decodedBytes }) => [type, method, decodedBytes], [
    ['iframe', 'GET', 900],
    ['script', 'GET', 4945],
  ]);
});

test("reads a program's zip, and recognizes it by its content", async () => {
  const archive = path.join(RECORDED, 'playwright.har.zip');
  const bytes = await readFile(archive);
  assert.ok(isZip(bytes));
  const zip = await openZip('p.zip', bytes, IMPORT_LIMITS);
  assert.ok(zip.names.includes('har.har'));
  assert.ok(await zipHasName(archive, /\.har$/i));
  assert.ok(!(await zipHasName(archive, /\.warc\.gz$/i)));
  assert.ok(!(await zipHasName(import.meta.filename, /\.har$/i)));
});
