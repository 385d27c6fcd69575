import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { siteFolder } from '../../../../cache/catalogue.ts';
import { ImportError } from '../../../../cache/import-error.ts';
import { chooseSiteName } from '../../../../cache/importers/site-name.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

/** Names with a special meaning in place of sites and videos. */
const RESERVED = ['quick', 'published', 'all', 'test-pattern', 'objects-100x10kB'];

test('renames a host whose name stands for other sites, and rejects such a --name', async (t) => {
  const sites = temporaryFolder(t);
  const folderOf = (site: string) => siteFolder(site, sites);
  for (const name of RESERVED) {
    assert.deepEqual(await chooseSiteName(name, null, folderOf), {
      site: `${name}-imported`,
      replaces: false,
    });
    await assert.rejects(chooseSiteName('a.test', name, folderOf), ImportError, name);
  }
});

test("never takes an archive's name that a site has while it is written", async (t) => {
  const sites = temporaryFolder(t);
  const folderOf = (site: string) => siteFolder(site, sites);
  for (const host of ['www.bank.test.unfinished-999999-1-replaced', 'www.unfinished-1-1.test']) {
    const { site } = await chooseSiteName(host, null, folderOf);
    assert.equal(site, host);
  }
  await assert.rejects(
    chooseSiteName('a.test~unfinished-1-1-replaced', null, folderOf),
    ImportError,
  );
  assert.throws(() => siteFolder(path.join('..', 'a'), sites), RangeError);
});
