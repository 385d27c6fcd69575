import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { UsageError } from '../../../../ground/system/errors.ts';
import { assertUnlocked, lockFolder } from '../../../../runner/campaign/folder-lock.ts';
import { machineName } from '../../../../runner/campaign/invocation.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('locks a folder for one process at a time, and frees it on release', async (t) => {
  const folder = temporaryFolder(t);
  const unlock = await lockFolder(folder);
  assert.throws(() => assertUnlocked(folder), UsageError);
  await assert.rejects(lockFolder(folder), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, new RegExp(`process ${process.pid} is measuring`));
    return true;
  });
  await unlock();
  assert.deepEqual(await readdir(folder), []);
  await (await lockFolder(folder))();
});

test('ignores the lock of a process that is gone, or whose number another process has', async (t) => {
  const folder = temporaryFolder(t);
  const lock = path.join(folder, '.lock');
  await lockFolder(folder);
  const [own = ''] = await readdir(lock);
  const startTicks = own.split('.').at(-1);
  for (const left of [
    `${machineName()}.${spawnSync('true').pid}.${startTicks}`,
    `${machineName()}.${process.pid}.1`,
    `another-1a2b3c.${process.pid}.${startTicks}`,
  ]) {
    const other = temporaryFolder(t);
    await mkdir(path.join(other, '.lock'));
    await writeFile(path.join(other, '.lock', left), '');
    assertUnlocked(other);
    await (await lockFolder(other))();
    assert.deepEqual(await readdir(other), []);
  }
});

test('ignores the lock file of an earlier version', async (t) => {
  const folder = temporaryFolder(t);
  await writeFile(path.join(folder, '.lock'), '{"machine":"cu');
  await (await lockFolder(folder))();
  assert.deepEqual(await readdir(folder), []);
});

test('gives a folder to exactly one of several processes, also after a stale lock', async (t) => {
  const folder = temporaryFolder(t);
  for (let round = 0; round < 100; round++) {
    const run = path.join(folder, `${round}`);
    await mkdir(path.join(run, round % 2 === 0 ? '.lock' : ''), { recursive: true });
    if (round % 2 === 0) await writeFile(path.join(run, '.lock', `${machineName()}.1.1`), '');
    const wanted = await Promise.allSettled(
      Array.from({ length: 4 }, async (_, index) => {
        for (let left = (index * round) % 7; left > 0; left--) await turn();
        return lockFolder(run);
      }),
    );
    assert.equal(wanted.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const each of wanted) {
      assert.ok(each.status === 'fulfilled' || each.reason instanceof UsageError);
    }
    assert.deepEqual(await readdir(run), ['.lock']);
  }
});
