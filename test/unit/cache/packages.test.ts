import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { isSiteName } from '../../../cache/catalogue.ts';
import { fillFromPackages } from '../../../cache/fill.ts';
import { readManifest } from '../../../cache/manifest.ts';
import { PACKAGE_PAGES, type PackagePage } from '../../../cache/packages/package-pages.ts';
import { assertEach } from '../assert-each.ts';
import { folderOfFiles } from './importers/folder-of-files.ts';

const page: PackagePage = {
  site: 'small-deck',
  what: 'the deck',
  host: 'small-deck.test',
  document: '/',
  parts: [
    { package: '@a/deck', version: '1.2.3', at: '/', files: ['index.html', 'f.woff2?v=1'] },
    { package: 'core', version: '4.0.0', at: '/node_modules/core/', files: ['dist/core.js'] },
  ],
};
const script = 'let a = 1;\n'.repeat(50);
const files = {
  'packages/@a/deck/package.json': '{"version":"1.2.3"}',
  'packages/@a/deck/index.html': '<p>tiny',
  'packages/@a/deck/f.woff2': 'a font',
  'packages/@a/deck/never-asked-for.js': 'let b',
  'packages/core/package.json': '{"version":"4.0.0"}',
  'packages/core/dist/core.js': script,
};
const importTo = (folder: string) =>
  fillFromPackages(path.join(folder, 'sites'), [page], path.join(folder, 'packages'));

test('makes a complete site of exactly the listed files from a page of two packages', async (t) => {
  const folder = await folderOfFiles(t, files);
  assert.deepEqual((await importTo(folder)).written, ['small-deck']);
  const site = path.join(folder, 'sites/small-deck');
  const manifest = await readManifest(site);
  assert.equal(manifest.source, 'the deck of @a/deck 1.2.3 (npm package), as shipped');
  assert.equal(manifest.kind, 'package');
  assert.equal(manifest.complete, true);
  assertEach(manifest.resources, ({ url, type, status }) => [url, type, status], [
    ['https://small-deck.test/', 'document', 200],
    ['https://small-deck.test/f.woff2?v=1', 'font', 200],
    ['https://small-deck.test/node_modules/core/dist/core.js', 'script', 200],
    ['https://small-deck.test/favicon.ico', 'other', 204],
  ]);
});

test('serves text as gzip where that is smaller, which decodes to the shipped bytes', async (t) => {
  const folder = await folderOfFiles(t, files);
  await importTo(folder);
  const site = path.join(folder, 'sites/small-deck');
  const { resources } = await readManifest(site);
  const core = resources.find(({ url }) => url.endsWith('core.js'));
  assert.equal(core?.contentEncoding, 'gzip');
  assert.equal(core?.decodedBytes, script.length);
  const wire = await readFile(path.join(site, core?.body ?? ''));
  assert.equal(gunzipSync(wire).toString(), script);
  assertEach(resources, ({ contentEncoding }) => contentEncoding, [null, null, 'gzip', null]);
});

test('leaves an identical site alone, and makes a damaged one again', async (t) => {
  const folder = await folderOfFiles(t, files);
  await importTo(folder);
  const index = path.join(folder, 'sites/small-deck/index.json');
  const before = (await stat(index)).ino;
  assert.deepEqual((await importTo(folder)).upToDate, ['small-deck']);
  assert.equal((await stat(index)).ino, before);
  await writeFile(index, '{');
  assert.deepEqual((await importTo(folder)).written, ['small-deck']);
  assert.equal((await readManifest(path.dirname(index))).site, 'small-deck');
});

test('leaves an imported site with the same name alone', async (t) => {
  const folder = await folderOfFiles(t, files);
  await importTo(folder);
  const index = path.join(folder, 'sites/small-deck/index.json');
  const imported = { ...JSON.parse(await readFile(index, 'utf8')), kind: 'imported' };
  await writeFile(index, JSON.stringify(imported));
  assert.deepEqual((await importTo(folder)).notOurs, ['small-deck']);
  assert.equal((await readManifest(path.dirname(index))).kind, 'imported');
  // However damaged it is.
  await rm(path.join(path.dirname(index), 'bodies'), { recursive: true });
  await importTo(folder);
  assert.equal(JSON.parse(await readFile(index, 'utf8')).kind, 'imported');
});

test('writes a body of the right size with other bytes again', async (t) => {
  const folder = await folderOfFiles(t, files);
  await importTo(folder);
  const bodies = path.join(folder, 'sites/small-deck/bodies');
  const [first = ''] = await readdir(bodies);
  await writeFile(path.join(bodies, first), '<p>tinY');
  await importTo(folder);
  assert.equal(await readFile(path.join(bodies, first), 'utf8'), '<p>tiny');
});

test('names a missing package, another version and a missing file, with the set-up', async (t) => {
  const { 'packages/core/package.json': _, ...missing } = files;
  await assert.rejects(
    importTo(await folderOfFiles(t, missing)),
    /core.package\.json is missing: .*not installed\. Run `npm run setup`/,
  );
  const newer = { ...files, 'packages/core/package.json': '{"version":"5.0.0"}' };
  await assert.rejects(
    importTo(await folderOfFiles(t, newer)),
    /version 5\.0\.0 is installed, .* for 4\.0\.0\. Run `npm run setup`/,
  );
  const { 'packages/core/dist/core.js': __, ...damaged } = files;
  await assert.rejects(importTo(await folderOfFiles(t, damaged)), /core\.js cannot be read/);
});

test('has safe names and separate hosts in its table, with each file once', () => {
  const sites = PACKAGE_PAGES.map(({ site }) => site);
  assert.equal(new Set(sites).size, sites.length);
  assert.ok(sites.length >= 3);
  for (const { site, host, parts } of PACKAGE_PAGES) {
    assert.ok(isSiteName(site), site);
    // RFC 2606 keeps .test free of real sites.
    assert.equal(host, `${site}.test`);
    const urls = parts.flatMap(({ at, files }) => files.map((file) => at + file));
    assert.equal(new Set(urls).size, urls.length, site);
  }
});
