import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { listSites } from '../../../cache/catalogue.ts';
import { fillGenerated } from '../../../cache/fill.ts';
import { generatePage } from '../../../cache/generator/page.ts';
import { manifestFile, readManifest, writeSite } from '../../../cache/manifest.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { readShape } from './shape.ts';

const SHAPES = [readShape('www.example.org'), readShape('www.baidu.com')];
const NAMES = ['www.example.org', 'www.baidu.com'];

function sitesFolder(t: TestContext): string {
  const folder = temporaryFolder(t);
  return path.join(folder, 'sites');
}

describe('filling the cache', () => {
  it('writes missing sites, and nothing the second time', async (t) => {
    const sites = sitesFolder(t);
    assert.deepEqual((await fillGenerated(sites, SHAPES)).written, NAMES);
    assert.deepEqual(listSites(sites), [...NAMES].sort());
    const again = await fillGenerated(sites, SHAPES);
    assert.deepEqual(again, { written: [], upToDate: NAMES, notOurs: [] });
  });

  it('writes a damaged site again', async (t) => {
    const sites = sitesFolder(t);
    await fillGenerated(sites, SHAPES);
    truncateSync(path.join(sites, 'www.baidu.com/bodies/0002.png'), 10);
    truncateSync(path.join(sites, 'www.example.org/index.json'), 10);
    assert.deepEqual((await fillGenerated(sites, SHAPES)).written, NAMES);
    await readManifest(path.join(sites, 'www.baidu.com'));
  });

  it('writes a site again whose damage only its hashes reveal', async (t) => {
    const sites = sitesFolder(t);
    await fillGenerated(sites, SHAPES);
    const body = path.join(sites, 'www.baidu.com/bodies/0002.png');
    const whole = readFileSync(body);
    writeFileSync(body, whole.with(-1, 0).with(-2, 0));
    assert.deepEqual((await fillGenerated(sites, SHAPES)).written, ['www.baidu.com']);
    assert.ok(readFileSync(body).equals(whole));
  });

  it('writes a site again whose shape has changed', async (t) => {
    const sites = sitesFolder(t);
    await fillGenerated(sites, SHAPES);
    const changed = structuredClone(SHAPES);
    const [document] = changed[0]?.objects ?? [];
    Object.assign(document ?? {}, { bytes: 2000, wireBytes: 2000 });
    assert.deepEqual((await fillGenerated(sites, changed)).written, ['www.example.org']);
  });

  it('keeps an imported page that has the name of a generated one', async (t) => {
    const sites = sitesFolder(t);
    const { manifest, bodies } = generatePage(readShape('www.example.org'));
    const folder = path.join(sites, 'www.example.org');
    await writeSite(folder, { ...manifest, kind: 'imported' }, bodies);
    const { written, notOurs } = await fillGenerated(sites, SHAPES);
    assert.deepEqual(
      { written, notOurs },
      { written: ['www.baidu.com'], notOurs: ['www.example.org'] },
    );
    assert.equal(JSON.parse(readFileSync(manifestFile(folder), 'utf8')).kind, 'imported');
  });
});
