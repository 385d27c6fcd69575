import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  listSites,
  publishedSites,
  QUICK_SITES,
  siteFolder,
  sitesFolder,
} from '../../../cache/catalogue.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

describe('the catalogue', () => {
  it('puts a site into a folder of its name', () => {
    assert.equal(siteFolder('www.iana.org'), path.join(sitesFolder, 'www.iana.org'));
    assert.equal(siteFolder('my_page-2', '/cache'), '/cache/my_page-2');
  });

  it('rejects names that could lead out of the cache', () => {
    const names = [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      '.git',
      '-x',
      'a\0',
      'ü',
      'a b',
      'a'.repeat(101),
    ];
    for (const name of names) {
      assert.throws(() => siteFolder(name), RangeError, name);
    }
  });

  it('lists the folders that have an index.json, sorted', (t) => {
    const sites = temporaryFolder(t);
    for (const name of [
      'b.org',
      'a.org',
      'www.unfinished-1-1-replaced',
      '.hidden',
      'c.org~unfinished-12-1',
    ]) {
      mkdirSync(path.join(sites, name));
      writeFileSync(path.join(sites, name, 'index.json'), '{}');
    }
    mkdirSync(path.join(sites, 'empty.org'));
    writeFileSync(path.join(sites, 'file.org'), '');
    assert.deepEqual(listSites(sites), ['a.org', 'b.org', 'www.unfinished-1-1-replaced']);
  });

  it('is empty without a cache', () => {
    assert.deepEqual(listSites(path.join(tmpdir(), 'no-such-cache')), []);
  });

  it('knows the 30 sites of the published results', () => {
    const published = publishedSites();
    assert.equal(published.length, 30);
    assert.equal(published[0], 'www.360.cn');
    assert.ok(!published.includes('www.qq.com'));
  });

  it('has a quick choice of at most eight sites', () => {
    assert.ok(QUICK_SITES.length <= 8);
    assert.equal(new Set(QUICK_SITES).size, QUICK_SITES.length);
  });
});
