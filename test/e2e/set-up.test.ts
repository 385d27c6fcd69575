import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../ground/system/folders.mjs';
import { setUpProject } from '../unit/setup/set-up-project.ts';

/** Runs shell commands in a separate mount namespace. */
function withMounts(script: string, ...args: string[]) {
  const rights = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const unshared = ['--mount', ...rights, 'sh', '-euc', script, 'sh', ...args];
  return spawnSync('unshare', unshared, { encoding: 'utf8' });
}

test('ends on a full disk with a sentence, and continues with room', async (t) => {
  const { at, start } = setUpProject(t);
  mkdirSync(at('.setup'));
  const { status, stderr, stdout } = withMounts(
    `mount -t tmpfs -o size=8k none "$1/.setup"
    head -c 8192 /dev/zero > "$1/.setup/full"
    cd "$1"
    npm_execpath="$1/npm.mjs" "$2" setup.mjs --only packages || ended=$?
    ls "$1/.setup"
    rm "$1/.setup/full"
    npm_execpath="$1/npm.mjs" "$2" setup.mjs --only packages
    exit $ended`,
    at(),
    process.execPath,
  );
  assert.equal(status, 3, stderr);
  assert.equal(stdout, 'full\nlock\n');
  assert.match(stderr, /ENOSPC.*Make room on the disk, then run: npm run setup\n/);
  assert.doesNotMatch(stderr, /^ +at /m);
  // On the disk of the test, behind the mounts, nothing was written.
  assert.deepEqual(readdirSync(at('.setup')), []);
  assert.equal((await start().ended).status, 0);
  assert.match(readFileSync(at('.setup', 'packages'), 'utf8'), /^[0-9a-f]{64}$/);
});

test('needs no write access to a project that is set up', () => {
  assert.ok(existsSync(path.join(projectFolder, '.setup', 'machine.json')));
  const { status, stderr } = withMounts(
    `mount --bind "$1" "$1"
    mount -o remount,bind,ro "$1"
    cd "$1"
    ! mkdir written
    "$2" setup.mjs`,
    projectFolder,
    process.execPath,
  );
  assert.equal(status, 0, stderr);
});
