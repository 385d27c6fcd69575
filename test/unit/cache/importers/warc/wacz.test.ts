import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readArchive } from '../../../../../cache/import.ts';
import { BICYCLE_SHOP, FIXTURES, inWords } from '../bicycle-shop.ts';
import { folderOfFiles } from '../folder-of-files.ts';

const WACZ = path.join(FIXTURES, 'warc', 'bicycle-shop.wacz');

test('a WACZ gives the page that its list of pages names', async () => {
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

test('another page of a WACZ is named by its URL', async () => {
  const page = await readArchive(WACZ, 'http://shop.test/');
  assert.equal(page.manifest.url, 'https://shop.test/');
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
});

test('a WACZ that was cut off is refused', async (t) => {
  const whole = await readFile(WACZ);
  const folder = await folderOfFiles(t, { 'a.wacz': whole.subarray(0, -100) });
  await assert.rejects(readArchive(path.join(folder, 'a.wacz')), { name: 'ImportError' });
});
