import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { cacheIn, skipWithoutImporter } from '../../../../../test/unit/cache/exported-site.ts';
import type { SiteManifest } from '../../../../manifest.ts';

const skip = skipWithoutImporter('wget');

const byUrl = ({ resources }: SiteManifest) =>
  new Map(resources.map(({ method, url, ...rest }) => [`${method} ${url}`, rest]));

test('exports every response but POSTs as a wget folder, and reports the omission', {
  skip,
}, async (t) => {
  const { importAgain, folder } = await cacheIn(t);
  const { before, after, out } = await importAgain('wget');
  assert.match(out, /note: POST https:\/\/cdn\.b\.test\/count: omitted: wget does not save POST/);
  assert.match(out, /note: https:\/\/www\.a\.test\/: bounces omitted, a file holds one answer/);
  assert.equal(after.url, before.url);
  assert.equal(after.recordedAt, before.recordedAt);
  const found = byUrl(after);
  for (const [key, { status, headers, sha256, decodedBytes }] of byUrl(before)) {
    if (key.startsWith('POST')) continue;
    const again = found.get(key);
    assert.ok(again, key);
    assert.deepEqual(
      [again.status, again.headers, again.sha256, again.decodedBytes],
      [status, headers, sha256, decodedBytes],
      key,
    );
  }
  assert.ok((await readdir(path.join(folder, 'out.wget/cdn.b.test'))).includes('s.css?a=b%2Fc&d'));
});
