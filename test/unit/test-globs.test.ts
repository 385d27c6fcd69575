import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './shipped-files.ts';

/** Folders with files from elsewhere. */
const FOREIGN = ['cache/sites', 'cache/videos', 'cache/objects', 'cache/sizes', 'exports'];

test('no file of a site is run as a test', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const globs = Object.values<string>(scripts).flatMap((script) =>
    [...script.matchAll(/"([^"]+\.test\.ts)"/g)].map(([, glob = '']) => glob),
  );
  assert.ok(globs.some((glob) => path.matchesGlob('cache/importers/a/test/unit/a.test.ts', glob)));
  const places = ['', 'a/', 'a/b/'].flatMap((inside) =>
    ['test/unit/', 'test/e2e/', 'test/long/', 'bodies/', ''].map(
      (end) => `${inside}${end}a.test.ts`,
    ),
  );
  const files = FOREIGN.flatMap((folder) => places.map((place) => `${folder}/${place}`));
  const run = globs.flatMap((glob) => files.filter((file) => path.matchesGlob(file, glob)));
  assert.deepEqual(run, []);
});
