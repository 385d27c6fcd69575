import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import {
  chooseUser,
  dropRights,
  KEEPS_ROOT,
  openWritten,
  type Privileges,
  type User,
  userChoice,
  withoutRights,
} from '../../../../ground/system/unprivileged-user.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const ALL = (1n << 40n) - 1n;
const OWNER: User = { uid: 1000, gid: 1000 };
const ROOT: User = { uid: 0, gid: 0 };

const PRIVILEGES: Privileges = {
  uid: 0,
  capabilities: ALL,
  keepsRoot: false,
  owner: OWNER,
  problemOf: () => null,
};

test("runs programs of root as a user without an account and outside containers' ranges", () => {
  const { user, whyRoot } = chooseUser(PRIVILEGES);
  assert.equal(whyRoot, null);
  assert.ok(user && user.uid > 60_577 && user.uid < 61_184 && user.gid === user.uid);
});

test('runs programs of an ordinary user unchanged, and those of root on request', () => {
  assert.deepEqual(chooseUser({ ...PRIVILEGES, uid: 1000 }), { user: null, whyRoot: null });
  const keptRoot = chooseUser({ ...PRIVILEGES, keepsRoot: true });
  assert.equal(keptRoot.user, null);
  assert.match(keptRoot.whyRoot ?? '', new RegExp(KEEPS_ROOT));
});

test('runs programs as the owner of a project that only its owner can read, unless that is root', () => {
  const problemOf = ({ uid }: User) => (uid === OWNER.uid ? null : 'cannot read it');
  assert.deepEqual(chooseUser({ ...PRIVILEGES, problemOf }).user, OWNER);
  assert.deepEqual(
    chooseUser({ ...PRIVILEGES, problemOf, owner: { uid: 1000, gid: 0 } }).user,
    OWNER,
    'not as a member of root’s group',
  );
  const ofRoot = chooseUser({ ...PRIVILEGES, problemOf: () => 'cannot read it', owner: ROOT });
  assert.deepEqual(ofRoot, { user: null, whyRoot: 'cannot read it' });
});

test('requires each capability that root needs to run, watch and end programs of another user', () => {
  const decisive = Array.from({ length: 40 }, (_, bit) => bit).filter(
    (bit) => chooseUser({ ...PRIVILEGES, capabilities: ALL & ~(1n << BigInt(bit)) }).user === null,
  );
  // CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID, SETPCAP, SYS_PTRACE.
  assert.deepEqual(decisive, [0, 1, 5, 6, 7, 8, 19]);
});

test('keeps an ordinary user’s commands', { skip: userChoice().user !== null }, () => {
  assert.deepEqual(withoutRights(['tshark', '-v'], { enter: ['nsenter', '--'] }), [
    'nsenter',
    '--',
    'tshark',
    '-v',
  ]);
});

const skip =
  userChoice().user === null && 'only root drops rights, in a folder that others can read';

test('runs a program as that user, without groups and with only its kept capabilities', {
  skip,
}, () => {
  const statusOf = (keeps: readonly 'net_admin'[]) => {
    const [program = '', ...args] = withoutRights(['cat', '/proc/self/status'], { keeps });
    const { stdout } = spawnSync(program, args, { encoding: 'utf8' });
    return new Map(stdout.split('\n').map((line) => line.split(/:\s*/, 2) as [string, string]));
  };
  const { uid } = userChoice().user as User;
  const status = statusOf([]);
  assert.equal(status.get('Uid'), `${uid}\t${uid}\t${uid}\t${uid}`);
  assert.equal(status.get('Groups')?.trim(), '');
  assert.equal(status.get('NoNewPrivs'), '1');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    assert.equal(BigInt(`0x${status.get(set)}`), 0n, set);
  }
  assert.equal(BigInt(`0x${statusOf(['net_admin']).get('CapEff')}`), 1n << 12n);
});

test('runs a program as root if that user cannot reach it or a file that it reads', {
  skip,
}, async (t) => {
  const folder = temporaryFolder(t);
  const program = path.join(folder, 'program');
  await writeFile(program, '', { mode: 0o755 });
  assert.notDeepEqual(dropRights(program, { reads: [folder] }), []);
  const secret = path.join(folder, 'secret');
  await writeFile(secret, '', { mode: 0o600 });
  assert.deepEqual(dropRights(program, { reads: [secret] }), []);
  const closed = path.join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  await copyFile(program, path.join(closed, 'program'));
  assert.deepEqual(dropRights(path.join(closed, 'program')), []);
  // In a user namespace there is no such user.
  assert.deepEqual(dropRights(program, { enter: ['nsenter', '--user=/proc/1/ns/user', '--'] }), []);
});

test('reports once on stderr that programs run as root in a project that only its owner can read', {
  skip,
}, async (t) => {
  const folder = temporaryFolder(t);
  await cp(path.join(projectFolder, 'ground', 'system'), path.join(folder, 'ground', 'system'), {
    recursive: true,
  });
  await copyFile(path.join(projectFolder, 'package.json'), path.join(folder, 'package.json'));
  await chmod(folder, 0o700);
  const module = path.join(folder, 'ground', 'system', 'unprivileged-user.ts');
  const twice = `const { dropRights } = await import(${JSON.stringify(module)});
    console.log(JSON.stringify([dropRights('true'), dropRights('false')]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', twice], {
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(stdout), [[], []]);
  assert.equal(stderr.split(folder).length, 2, stderr);
  assert.match(stderr, /run as root: uid \d+ cannot read .*docs\/explanation\/security\.md/);
});

test("does not read a program's output through a link, from a pipe, or from a file of another user", async (t) => {
  const folder = temporaryFolder(t);
  const own = path.join(folder, 'own');
  await writeFile(own, 'own');
  const handle = await openWritten(own);
  assert.equal(await handle.readFile('utf8'), 'own');
  await handle.close();
  const link = path.join(folder, 'link');
  await symlink(own, link);
  await assert.rejects(openWritten(link));
  const pipe = path.join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  await assert.rejects(openWritten(pipe), /plain file/);
  await assert.rejects(openWritten(folder), /plain file/);
  if (process.getuid?.() !== 0) return;
  spawnSync('chown', ['12345', own]);
  await assert.rejects(openWritten(own), /plain file/);
});
