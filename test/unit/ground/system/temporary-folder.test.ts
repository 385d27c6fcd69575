import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  makeTemporaryFolder,
  removeLeftFolders,
  temporaryParent,
  temporaryPrefix,
  withTemporaryFolder,
} from '../../../../ground/system/temporary-folder.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const isRoot = process.geteuid?.() === 0;
const OTHER_USER = 12345;
const { pid: ENDED } = spawnSync('true');

/** A folder for temporary files for this test alone, and another folder with a file that must survive. */
function places(t: TestContext) {
  const { TMPDIR } = process.env;
  const root = temporaryFolder(t);
  const [temporary, victim] = ['temporary', 'victim'].map((name) => path.join(root, name)) as [
    string,
    string,
  ];
  for (const folder of [temporary, victim]) mkdirSync(folder);
  // Every name that a test plants for removal is in the victim too.
  for (const name of ['precious', 'file-0', 'file-1']) writeFileSync(path.join(victim, name), name);
  process.env.TMPDIR = temporary;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  return { root, temporary, victim };
}

function assertWhole(victim: string): void {
  assert.deepEqual(readdirSync(victim).sort(), ['file-0', 'file-1', 'precious']);
}

test('keeps a temporary folder as long as it is used, and removes it after a failure too', async () => {
  let used = '';
  await assert.rejects(
    withTemporaryFolder('logs', async (folder) => {
      used = folder;
      await writeFile(path.join(folder, 'some.log'), 'x');
      throw new Error('failed');
    }),
    /failed/,
  );
  assert.ok(used.startsWith(temporaryPrefix('logs', process.pid)));
  assert.ok(!existsSync(used));
});

test('removes folders of ended processes, and keeps those of running ones', async (t) => {
  const { temporary } = places(t);
  const left = (['profile', 'logs'] as const).map((what) => `${temporaryPrefix(what, ENDED)}left`);
  // Of something else; of another container, whose processes are invisible; and one outside the own
  // parent.
  const foreign = [
    path.join(temporaryParent(), `mine-${ENDED}-`),
    temporaryPrefix('profile', ENDED, '1'),
    path.join(temporary, path.basename(left[0] ?? '')),
  ];
  for (const folder of [...left, ...foreign])
    await mkdir(path.join(folder, 'in', 'it'), { recursive: true });
  chmodSync(temporaryParent(), 0o711);
  await withTemporaryFolder('profile', async (own) => {
    await removeLeftFolders();
    const are = [...left, ...foreign, own].map(existsSync);
    assert.deepEqual(are, [false, false, true, true, true, true]);
  });
});

test('lets only this user list or change the parent, and enter the folders in it', async (t) => {
  places(t);
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  const { folder } = await makeTemporaryFolder('keys');
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(path.dirname(folder))).mode & 0o777, 0o711);
});

/** Objects that another user can plant under the name of the parent. */
const PLANTED: Record<string, (parent: string, victim: string) => void | Promise<void>> = {
  'a link to a folder': (parent, victim) => symlink(victim, parent),
  'a link to nowhere': (parent) => symlink('/nowhere', parent),
  'a file': (parent) => writeFile(parent, ''),
  'a named pipe': (parent) => void spawnSync('mkfifo', [parent]),
  'a folder that other users can write to': (parent) => {
    mkdirSync(parent);
    chmodSync(parent, 0o777);
  },
  ...(isRoot && {
    'a folder of another user': (parent) => {
      mkdirSync(parent);
      chownSync(parent, OTHER_USER, OTHER_USER);
    },
  }),
};

for (const [what, plant] of Object.entries(PLANTED)) {
  test(`neither uses nor clears ${what} in place of the parent`, async (t) => {
    const { temporary, victim } = places(t);
    await plant(temporaryParent(), victim);
    const name = path.basename(`${temporaryPrefix('logs', ENDED)}left`);
    for (const folder of [temporaryParent(), victim])
      await mkdir(path.join(folder, name)).catch(() => {});
    await removeLeftFolders();
    await withTemporaryFolder('logs', async (folder) => {
      assert.equal(path.dirname(path.dirname(folder)), temporary);
      assert.notEqual(path.dirname(folder), temporaryParent());
    });
    assert.ok(existsSync(path.join(victim, name)));
    assert.ok(existsSync(path.join(victim, 'precious')));
  });
}

test('never leaves the folder by a link while removing', async (t) => {
  const { victim } = places(t);
  await (await makeTemporaryFolder('logs')).remove();
  const linked = `${temporaryPrefix('logs', ENDED)}linked`;
  const holding = `${temporaryPrefix('logs', ENDED)}holding`;
  await symlink(victim, linked);
  await mkdir(holding);
  await symlink(victim, path.join(holding, 'link'));
  await removeLeftFolders();
  assertWhole(victim);
  assert.ok(!existsSync(holding));
});

test('never leaves the folder while removing when a folder in it becomes a link', async (t) => {
  const { victim } = places(t);
  const made = await makeTemporaryFolder('profile');
  const [inner, moved] = [path.join(made.folder, 'b'), path.join(made.folder, 'moved')];
  const files = 2000;
  await mkdir(inner);
  for (let each = 0; each < files; each++) writeFileSync(path.join(inner, `file-${each}`), '');
  let isRemoved = false;
  const removal = made.remove().then(() => {
    isRemoved = true;
  });
  while (!isRemoved) {
    await nextTurn();
    const names = await readdir(inner).catch(() => []);
    if (names.length === 0 || names.length === files) continue;
    await rename(inner, moved);
    await symlink(victim, inner);
    break;
  }
  await removal;
  assertWhole(victim);
});

test('does not fail on a folder that cannot be removed, and removes the rest', async (t) => {
  if (isRoot) t.after(() => process.seteuid?.(0));
  const { root, temporary } = places(t);
  if (isRoot) {
    // Root can remove everything.
    for (const folder of [root, temporary]) chownSync(folder, OTHER_USER, OTHER_USER);
    process.seteuid?.(OTHER_USER);
  }
  await (await makeTemporaryFolder('logs')).remove();
  const [fixed, free] = ['fixed', 'free'].map(
    (name) => `${temporaryPrefix('logs', ENDED)}${name}`,
  ) as [string, string];
  for (const folder of [fixed, free]) await mkdir(path.join(folder, 'in'), { recursive: true });
  await writeFile(path.join(fixed, 'in', 'file'), '');
  chmodSync(path.join(fixed, 'in'), 0o500);
  await removeLeftFolders();
  assert.deepEqual([fixed, free].map(existsSync), [true, false]);
  chmodSync(path.join(fixed, 'in'), 0o700);
});

test('does not treat a missing TMPDIR as a bug', async (t) => {
  const { root } = places(t);
  process.env.TMPDIR = path.join(root, 'missing');
  await removeLeftFolders();
  await assert.rejects(makeTemporaryFolder('logs'), {
    name: 'MachineError',
    message: /missing.*TMPDIR/,
  });
});
