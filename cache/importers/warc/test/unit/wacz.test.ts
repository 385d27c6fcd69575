import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { BICYCLE_SHOP, inWords } from '../../../../../test/unit/cache/importers/bicycle-shop.ts';
import { folderOfFiles } from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import { assertPagesListed } from '../../../../../test/unit/cache/listed-pages.ts';
import { assertLargeRefused } from '../../../../../test/unit/cache/oversize-archives.ts';
import { readArchive } from '../../../../import.ts';
import { IMPORT_LIMITS } from '../../../../limits.ts';
import { openZip } from '../../../zip-archive.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

const WACZ = path.join(FIXTURES, 'bicycle-shop.wacz');

test("reads the page that a WACZ's list of pages names", async () => {
  const page = await readArchive(WACZ);
  assert.equal(page.manifest.importedFrom, 'wacz');
  assert.equal(page.manifest.url, 'https://www.shop.test/');
  const redirect = '301 document https://shop.test/ 0 0';
  // The list names the page behind the redirect, so that the redirect is no part of the navigation.
  const expected = BICYCLE_SHOP.map((line) =>
    line === redirect ? redirect.replace('document', 'other') : line,
  );
  assert.deepEqual(inWords(page), expected.sort());
  assert.match(page.notes[0] ?? '', /^bicycle-shop\.wacz\/archive\/\S+\.warc\.gz, record 5/);
});

test('names another page of a WACZ by its URL', async () => {
  const page = await readArchive(WACZ, 'http://shop.test/');
  assert.equal(page.manifest.url, 'https://shop.test/');
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
});

test("prefers the page of a WACZ's description to the first of its list", async (t) => {
  const wacz = path.join(FIXTURES, 'two-pages.wacz');
  assert.equal((await readArchive(wacz)).manifest.url, 'https://www.shop.test/');
  const files = await openZip('two-pages.wacz', await readFile(wacz), IMPORT_LIMITS);
  const unpacked: Record<string, Buffer> = {};
  for (const name of files.names) unpacked[name] = await files.read(name, 100_000);
  const folder = await folderOfFiles(t, unpacked);
  assert.equal((await readArchive(folder)).manifest.url, 'https://www.shop.test/');
  // The standard's own name for it.
  const about = { mainPageUrl: 'http://www.shop.test/map.html#x' };
  await writeFile(path.join(folder, 'datapackage.json'), JSON.stringify(about));
  assert.equal((await readArchive(folder)).manifest.url, 'https://www.shop.test/map.html');
});

test('picks another page of a WACZ without its named page, and reports it', async (t) => {
  const folder = await folderOfFiles(t, {
    'archive/a.warc.gz': await readFile(path.join(FIXTURES, 'bicycle-shop.warc.gz')),
    'datapackage.json': '{"mainPageUrl":"https://missing.test/"}',
  });
  const { manifest, notes } = await readArchive(folder);
  assert.equal(manifest.url, 'https://shop.test/');
  assert.match(notes[0] ?? '', /names the page https:\/\/missing\.test\/, which it does not have/);
});

test('rejects a truncated WACZ', async (t) => {
  const whole = await readFile(WACZ);
  const folder = await folderOfFiles(t, { 'a.wacz': whole.subarray(0, -100) });
  await assert.rejects(readArchive(path.join(folder, 'a.wacz')), { name: 'ImportError' });
});

test('shows the pages of a WACZ with --list', (t) =>
  assertPagesListed(
    t,
    path.join(FIXTURES, 'two-pages.wacz'),
    'http://www.shop.test/',
    'http://www.shop.test/bells.html',
    'http://www.shop.test/map.html',
  ));

test('rejects a WACZ that is too large before reading it', (t) =>
  assertLargeRefused(t, 'page.wacz', 'PK\x03\x04'));
