import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { siteFolder } from '../../../../../cache/catalogue.ts';
import { readManifest } from '../../../../../cache/manifest.ts';
import { withTemporaryFolder } from '../../../../../test/temporary-folder.ts';
import { writeDelayedServer } from '../../../bench/known-difference/delayed-server.ts';

test('copies the site for a delayed server, whose document alone waits', () =>
  withTemporaryFolder(async (folder) => {
    const from = siteFolder('www.wikipedia.org');
    const program = await writeDelayedServer(from, path.join(folder, 'own'), 7);
    const [before, { url, resources }] = [
      await readManifest(from),
      await readManifest(path.join(folder, 'own', 'site')),
    ];
    assert.equal(resources.length, before.resources.length);
    for (const resource of resources) {
      assert.equal(resource.waitMs, resource.url === url ? 7 : 0, resource.url);
    }
    assert.equal((await stat(program)).mode & 0o111, 0o111);
    assert.match(await readFile(program, 'utf8'), /"\$@" --site \S+site --think recorded\n$/);
  }));
