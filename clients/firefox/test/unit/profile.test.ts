import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { withRoomIn } from '../../profile.ts';

/** Runs a program that prints "started", as Firefox is started. */
function startIn(profile: string) {
  const [command = '', ...args] = [...withRoomIn(profile), 'echo', 'started'];
  return spawnSync(command, args, { encoding: 'utf8' });
}

test('starts a program whose profile can be written, and leaves nothing in it', () =>
  withTemporaryFolder(async (folder) => {
    assert.equal(startIn(folder).stdout, 'started\n');
    assert.deepEqual(await readdir(folder), []);
  }));

test('starts no program if the profile cannot be written, and names its folder', () =>
  withTemporaryFolder(async (folder) => {
    const { status, stdout, stderr } = startIn(path.join(folder, 'none'));
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /profile needs \d+ MB in .*none/);
  }));
