import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readIdentity } from '../../../../ground/system/identity.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const UNKNOWN = { version: '1.2.3', commit: null, dirty: null };

/** A folder of this project in version 1.2.3, without git. */
function projectIn(folder: string): string {
  writeFileSync(path.join(folder, 'package.json'), '{"version":"1.2.3"}\n');
  return folder;
}

const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

/** A committed project, and its commit. */
function checkout(t: TestContext): { folder: string; commit: string } {
  const folder = projectIn(temporaryFolder(t));
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Begin');
  return { folder, commit: git(folder, 'rev-parse', 'HEAD') };
}

function setVariables(t: TestContext, variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

test('reads the commit of a checkout', (t) => {
  const { folder, commit } = checkout(t);
  assert.deepEqual(readIdentity(folder), { version: '1.2.3', commit, dirty: false });
});

test('is dirty with a changed, staged or deleted file, and not with a new one', (t) => {
  const { folder, commit } = checkout(t);
  const file = path.join(folder, 'package.json');
  writeFileSync(path.join(folder, 'new.txt'), 'new');
  assert.equal(readIdentity(folder).dirty, false);
  writeFileSync(file, '{"version":"1.2.4"}\n');
  assert.deepEqual(readIdentity(folder), { version: '1.2.4', commit, dirty: true });
  git(folder, 'add', '--all');
  assert.equal(readIdentity(folder).dirty, true);
  git(folder, 'commit', '--quiet', '--message', 'Change', '--all');
  assert.equal(readIdentity(folder).dirty, false);
  rmSync(path.join(folder, 'new.txt'));
  assert.equal(readIdentity(folder).dirty, true);
});

test('reads the commit of a linked work tree', (t) => {
  const { folder, commit } = checkout(t);
  const linked = path.join(temporaryFolder(t), 'linked');
  git(folder, 'worktree', 'add', '--quiet', linked);
  assert.deepEqual(readIdentity(linked), { version: '1.2.3', commit, dirty: false });
});

test('takes no commit of a repository that contains the folder', (t) => {
  const inside = path.join(checkout(t).folder, 'node_modules', 'quic-vs-https');
  mkdirSync(inside, { recursive: true });
  assert.deepEqual(readIdentity(projectIn(inside)), UNKNOWN);
});

test('takes no commit of a repository that the environment names', (t) => {
  const { folder, commit } = checkout(t);
  const other = checkout(t).folder;
  git(other, 'commit', '--quiet', '--allow-empty', '--message', 'Differ');
  const GIT_DIR = path.join(other, '.git');
  setVariables(t, { GIT_DIR, GIT_WORK_TREE: other, GIT_INDEX_FILE: path.join(other, 'none') });
  assert.deepEqual(readIdentity(folder), { version: '1.2.3', commit, dirty: false });
});

test('reads the commit of a checkout that belongs to another user', {
  skip: process.getuid?.() !== 0,
}, (t) => {
  const { folder, commit } = checkout(t);
  for (const name of ['', '.git', 'package.json']) chownSync(path.join(folder, name), 1000, 1000);
  assert.throws(() => git(folder, 'status'), /dubious ownership/);
  assert.equal(readIdentity(folder).commit, commit);
});

test('knows no commit without a repository, without its first commit, and without git', (t) => {
  const folder = projectIn(temporaryFolder(t));
  assert.deepEqual(readIdentity(folder), UNKNOWN);
  git(folder, 'init', '--quiet');
  assert.deepEqual(readIdentity(folder), UNKNOWN);
  const committed = checkout(t).folder;
  setVariables(t, { PATH: folder });
  assert.deepEqual(readIdentity(committed), UNKNOWN);
});

test('believes identity.json of a package, and starts no git', (t) => {
  const { folder } = checkout(t);
  const file = path.join(folder, 'identity.json');
  for (const packaged of [
    { commit: 'ab'.repeat(20), dirty: true },
    { commit: null, dirty: null },
  ]) {
    writeFileSync(file, JSON.stringify({ version: '1.2.3', ...packaged }));
    assert.deepEqual(readIdentity(folder), { version: '1.2.3', ...packaged });
  }
});

test('rejects an identity.json that is not valid', (t) => {
  const folder = projectIn(temporaryFolder(t));
  const valid = { commit: 'ab'.repeat(20), dirty: true };
  for (const text of [
    '{',
    'null',
    '{}',
    JSON.stringify({ ...valid, commit: '<b>' }),
    JSON.stringify({ ...valid, commit: 'ab' }),
    JSON.stringify({ ...valid, dirty: 'yes' }),
  ]) {
    writeFileSync(path.join(folder, 'identity.json'), text);
    assert.throws(() => readIdentity(folder), {
      name: 'MachineError',
      message: /identity\.json: /,
    });
  }
});
