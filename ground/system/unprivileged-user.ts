import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chown, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openPlain } from './plain-file.ts';
import { complain } from './printed.mjs';
import { projectFolder } from './project-folder.ts';

/** A user as whom programs run that need no rights. */
export interface User {
  uid: number;
  gid: number;
}

/** What decides as whom programs run. */
export interface Privileges {
  /** Of this process. */
  uid: number;
  /** Its effective capabilities, as /proc/PID/status has them. */
  capabilities: bigint;
  /** Whether the person wants programs to run as root. */
  keepsRoot: boolean;
  /** Of the project's folder. */
  owner: User;
  /** Why nothing can run as a user here; null: it can, and reads the project's folder. */
  problemOf(user: User): string | null;
}

interface UserChoice {
  /** null: programs run as the user who has started this process. */
  user: User | null;
  /** Why programs run as root; null: they do not. */
  whyRoot: string | null;
}

/** Has programs run as root again, as a way back where they fail as another user. */
export const KEEPS_ROOT = 'RUN_AS_ROOT';

/**
 * No account has it: systemd and Debian hand out numbers below and above. So these programs share it with no daemon, as they would share
 * `nobody`, and no file belongs to it. Below 65536, so that containers with users of their own have it too.
 */
const UNUSED: User = { uid: 61183, gid: 61183 };

/** What root needs to run programs as another user, to look at them, to end them, and to remove their files; many containers lack some. */
const NEEDED_CAPABILITIES: Readonly<Record<string, bigint>> = {
  CHOWN: 0n,
  DAC_OVERRIDE: 1n,
  KILL: 5n,
  SETGID: 6n,
  SETUID: 7n,
  SETPCAP: 8n,
  SYS_PTRACE: 19n,
};

/** What some program keeps, because it would be another program without. */
type Capability = keyof typeof CAPABILITIES;
const CAPABILITIES = { net_admin: 12n } as const;

/**
 * Chooses as whom programs run. The owner of the project's folder is the second choice, for projects in a home that others cannot enter:
 * what breaks out of a program could change the project then, which root runs.
 */
export function chooseUser(privileges: Privileges): UserChoice {
  const { uid, capabilities, keepsRoot, owner, problemOf } = privileges;
  if (uid !== 0) return { user: null, whyRoot: null };
  if (keepsRoot) return { user: null, whyRoot: `${KEEPS_ROOT} is set` };
  const missing = Object.entries(NEEDED_CAPABILITIES).filter(
    ([, bit]) => !hasCapability(capabilities, bit),
  );
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ');
    return { user: null, whyRoot: `root lacks capabilities here (${names})` };
  }
  const problem = problemOf(UNUSED);
  if (problem === null) return { user: UNUSED, whyRoot: null };
  // A group may have others in it.
  const user = { uid: owner.uid, gid: owner.gid === 0 ? owner.uid : owner.gid };
  if (owner.uid !== 0 && problemOf(user) === null) return { user, whyRoot: null };
  return { user: null, whyRoot: problem };
}

let chosen: UserChoice | null = null;

/** As whom programs of this process run that need no rights. */
export function userChoice(): UserChoice {
  chosen ??= chooseUser(privilegesHere());
  return chosen;
}

/** What a program needs to work without rights. */
export interface ProgramNeeds {
  /** What stands before its command, to lead it into a namespace. */
  enter?: readonly string[];
  /** Files that it reads, and folders that it enters. */
  reads?: readonly string[];
  keeps?: readonly Capability[];
}

/**
 * The words that stand before a program so that it runs without rights though this process is root. None: this process is not root, or
 * the program has to be root here, of which stderr says once why.
 * @param program a name is found along PATH
 */
export function dropRights(
  program: string,
  { enter = [], reads = [], keeps = [] }: ProgramNeeds = {},
): string[] {
  const { user, whyRoot } = userChoice();
  if (user === null) {
    if (whyRoot !== null && !keepsRoot()) {
      warnOnce(`Browser, servers and clients run as root: ${whyRoot}. ${REMEDY}`);
    }
    return [];
  }
  const name = path.basename(program);
  if (enter.some((word) => /^--(user=|map-root-user$)/.test(word))) {
    warnOnce(
      `${name} runs as root: this root may make network namespaces only in a user namespace, which has no other user. ${REMEDY}`,
    );
    return [];
  }
  const needed = [
    ...(path.isAbsolute(program) ? [['-x', program] as const] : []),
    ...reads.map((file) => [isFolder(file) ? '-x' : '-r', file] as const),
  ];
  // Of what is not there the program itself complains.
  const [, hidden] =
    needed.find(([how, file]) => existsSync(file) && !mayUse(user, how, file)) ?? [];
  if (hidden !== undefined) {
    warnOnce(`${name} runs as root: ${problemWith(hidden, user)}. ${REMEDY}`);
    return [];
  }
  return wordsFor(user, keeps);
}

/** A whole command that runs a program without rights, where it is to be run. */
export function withoutRights(command: readonly string[], needs: ProgramNeeds = {}): string[] {
  return [...(needs.enter ?? []), ...dropRights(command[0] ?? '', needs), ...command];
}

/** Gives files or folders to the user as whom programs run; nothing where they run as the user of this process. */
export async function lend(...files: readonly string[]): Promise<void> {
  const { user } = userChoice();
  if (user) for (const file of files) await chown(file, user.uid, user.gid);
}

/**
 * Opens a file that a program without rights wrote, who may have put anything in its place: a link, or a pipe that never ends.
 * @throws Error when it is not a plain file of this user or of the programs' one
 */
export async function openWritten(file: string): Promise<FileHandle> {
  const handle = await openPlain(file);
  const { uid } = await handle.stat();
  const writers = [process.getuid?.(), userChoice().user?.uid];
  if (writers.includes(uid)) return handle;
  await handle.close();
  throw new Error(`${file} is not the plain file that a program should have written there.`);
}

const REMEDY = 'Run as an ordinary user, or see docs/explanation/security.md (What runs as whom).';

function wordsFor({ uid, gid }: User, keeps: readonly Capability[]): string[] {
  const kept = keeps.filter((name) => hasCapability(capabilitiesHere(), CAPABILITIES[name]));
  const set = ['-all', ...kept.map((name) => `+${name}`)].join();
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${set}`,
    `--ambient-caps=${set}`,
    `--bounding-set=${set}`,
    '--no-new-privs',
    '--',
    'env',
    // Root's home cannot be read; and where root stands, maybe another cannot: npm stands here.
    'HOME=/nonexistent',
    `--chdir=${projectFolder}`,
  ];
}

function privilegesHere(): Privileges {
  const { uid, gid } = statSync(projectFolder);
  return {
    uid: process.getuid?.() ?? 0,
    capabilities: capabilitiesHere(),
    keepsRoot: keepsRoot(),
    owner: { uid, gid },
    problemOf,
  };
}

function keepsRoot(): boolean {
  return (process.env[KEEPS_ROOT] ?? '') !== '';
}

function capabilitiesHere(): bigint {
  const [, hex = '0'] = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return BigInt(`0x${hex}`);
}

function hasCapability(capabilities: bigint, bit: bigint): boolean {
  return ((capabilities >> bit) & 1n) === 1n;
}

function problemOf(user: User): string | null {
  const { uid } = user;
  if (uid === UNUSED.uid && spawnSync('getent', ['passwd', `${uid}`]).status === 0) {
    return `uid ${uid} belongs to an account`;
  }
  const [program = '', ...args] = bareWords(user);
  const tried = spawnSync(program, [...args, 'true'], { cwd: '/', encoding: 'utf8' });
  if (tried.error) return `setpriv cannot be started (${tried.error.message})`;
  if (tried.status !== 0) return tried.stderr.trim();
  const read = path.join(projectFolder, 'package.json');
  return mayUse(user, '-r', read) ? null : problemWith(projectFolder, user);
}

function problemWith(file: string, { uid }: User): string {
  return `uid ${uid} cannot read ${file}`;
}

/** Without the project's folder, which the user may not be able to enter. */
function bareWords(user: User): string[] {
  return wordsFor(user, []).filter((word) => !word.startsWith('--chdir='));
}

const accessByUser = new Map<string, boolean>();

/** Tried, because the modes of all folders above have a say, and access lists. */
function mayUse(user: User, how: '-r' | '-x', file: string): boolean {
  const key = `${user.uid} ${how} ${file}`;
  const [program = '', ...args] = [...bareWords(user), 'test', how, file];
  const may = accessByUser.get(key) ?? spawnSync(program, args, { cwd: '/' }).status === 0;
  accessByUser.set(key, may);
  return may;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const warned = new Set<string>();

function warnOnce(sentence: string): void {
  if (warned.has(sentence)) return;
  warned.add(sentence);
  complain(sentence);
}
