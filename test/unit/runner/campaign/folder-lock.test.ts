import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { assertUnlocked, lockFolder } from '../../../../runner/campaign/folder-lock.ts';
import { UsageError } from '../../../../runner/errors.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test("a folder is one process's at a time, and free again when that gives it back", async (t) => {
  const folder = temporaryFolder(t);
  const unlock = await lockFolder(folder);
  assert.throws(() => assertUnlocked(folder), UsageError);
  await assert.rejects(lockFolder(folder), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, new RegExp(`process ${process.pid} is measuring`));
    return true;
  });
  await unlock();
  assert.ok(!existsSync(path.join(folder, '.lock')));
  await (await lockFolder(folder))();
});

test('the lock of a process that is no more, or whose number another one has now, holds nobody up', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, '.lock');
  await lockFolder(folder);
  const owner = JSON.parse(await readFile(file, 'utf8'));
  for (const left of [
    JSON.stringify({ ...owner, pid: spawnSync('true').pid }),
    JSON.stringify({ ...owner, startTicks: '1' }),
    JSON.stringify({ ...owner, machine: 'another-1a2b3c' }),
    '{"machine":"cu',
    '',
  ]) {
    await writeFile(file, left);
    assertUnlocked(folder);
    await (await lockFolder(folder))();
  }
});
