import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import {
  manifestFile,
  type Resource,
  readManifest,
  type Site,
  writeSite,
} from '../../../cache/manifest.ts';
import { makeDelayedSite } from '../../../runner/delayed-site.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

test('delays every response of a site, in addition to its think time if that counts', () =>
  withTemporaryFolder(async (folder) => {
    const site = path.join(folder, 'delayed.test');
    await writeSite(site, MANIFEST, new Map([['bodies/1', new Uint8Array(3)]]));
    const before = await readFile(manifestFile(site), 'utf8');
    for (const [thinks, waits, bounce] of [
      [true, [112.4, 100, 100], 105],
      [false, [100, 100, 100], 100],
    ] as const) {
      const made = await makeDelayedSite(site, { delayMs: 100, thinks });
      const { resources, ...rest } = await readManifest(made.folder);
      assert.deepEqual(
        resources.map(({ waitMs }) => waitMs),
        waits,
      );
      assert.deepEqual(
        resources.flatMap(({ bounces = [] }) => bounces.map(({ waitMs }) => waitMs)),
        [bounce],
      );
      assert.equal(rest.url, MANIFEST.url);
      const bodies = await Promise.all(
        [site, made.folder].map((each) => stat(path.join(each, 'bodies', '1'))),
      );
      assert.deepEqual(
        bodies.map(({ size }) => size),
        [3, 3],
      );
      await made.remove();
      assert.ok(!existsSync(made.folder));
    }
    assert.equal(await readFile(manifestFile(site), 'utf8'), before);
    assert.ok(existsSync(path.join(site, 'bodies', '1')));
  }));

const COMMON: Pick<Resource, 'method' | 'headers' | 'contentEncoding'> = {
  method: 'GET',
  headers: [],
  contentEncoding: null,
};
const EMPTY = { ...COMMON, body: null, wireBytes: 0, decodedBytes: 0, sha256: null };

const MANIFEST: Site['manifest'] = {
  formatVersion: 1,
  site: 'delayed.test',
  url: 'https://delayed.test/',
  source: 'Made for a test.',
  kind: 'generated',
  complete: false,
  resources: [
    {
      ...COMMON,
      url: 'https://delayed.test/',
      status: 200,
      type: 'document',
      body: 'bodies/1',
      wireBytes: 3,
      decodedBytes: 3,
      sha256: '0'.repeat(64),
      waitMs: 12.4,
    },
    { ...EMPTY, url: 'https://delayed.test/a', status: 204, type: 'other' },
    {
      ...EMPTY,
      url: 'https://delayed.test/b',
      status: 204,
      type: 'other',
      bounces: [
        { cookie: 'a', status: 302, headers: [['location', 'https://delayed.test/b']], waitMs: 5 },
      ],
    },
  ],
};
