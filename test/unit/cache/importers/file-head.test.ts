import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { headOf } from '../../../../cache/importers/archive-file.ts';
import { folderOfFiles } from './folder-of-files.ts';

test('reads the beginning of a file, unpacked for gzip, and never more than 4 kB', async (t) => {
  const long = 'beginning'.padEnd(100_000, '.');
  const folder = await folderOfFiles(t, {
    plain: long,
    packed: gzipSync(long),
    bomb: gzipSync(Buffer.alloc(50_000_000)),
    'not-gzip': Buffer.from([0x1f, 0x8b, 1, 2, 3]),
    empty: '',
  });
  const head = async (name: string) => headOf(path.join(folder, name));
  for (const name of ['plain', 'packed']) {
    const bytes = await head(name);
    assert.equal(bytes?.length, 4096, name);
    assert.equal(bytes?.toString('latin1', 0, 9), 'beginning');
  }
  assert.equal((await head('bomb'))?.length, 4096);
  assert.equal((await head('not-gzip'))?.length, 5);
  assert.equal((await head('empty'))?.length, 0);
});

test('reads nothing of a file that is not regular, and does not wait for a named pipe', async (t) => {
  const folder = await folderOfFiles(t, {});
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  assert.equal(await headOf(path.join(folder, 'pipe')), null);
  assert.equal(await headOf(folder), null);
  assert.equal(await headOf(path.join(folder, 'missing')), null);
});
