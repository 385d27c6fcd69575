import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import {
  namesBegin,
  removeLeftFolders,
  withTemporaryFolder,
} from '../../../system/temporary-folder.ts';

test('a temporary folder is there as long as it is used, and gone after a failure too', async () => {
  let used = '';
  await assert.rejects(
    withTemporaryFolder('logs', async (folder) => {
      used = folder;
      await writeFile(path.join(folder, 'some.log'), 'x');
      throw new Error('failed');
    }),
    /failed/,
  );
  assert.ok(used.startsWith(path.join(tmpdir(), namesBegin('logs', process.pid))));
  assert.ok(!existsSync(used));
});

test('folders of processes that are no more are removed, those of others stay', async (t) => {
  const { pid: ended } = spawnSync('true');
  const folders = (['profile', 'logs'] as const).map((what) =>
    path.join(tmpdir(), `${namesBegin(what, ended)}left`),
  );
  // Of something else, and of another container: its processes are not to be seen from here.
  const others = [`quic-vs-https-mine-${ended}-`, namesBegin('profile', ended, '1')].map((name) =>
    path.join(tmpdir(), `${name}left`),
  );
  t.after(() => Promise.all(others.map((folder) => rm(folder, { recursive: true }))));
  for (const folder of [...folders, ...others])
    await mkdir(path.join(folder, 'in', 'it'), { recursive: true });
  await withTemporaryFolder('profile', async (own) => {
    await removeLeftFolders();
    assert.deepEqual([...folders, ...others, own].map(existsSync), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
