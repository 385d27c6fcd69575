import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chown, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from './folders.mjs';
import { openPlain } from './plain-file.ts';
import { complain } from './printed.mjs';

/** User of unprivileged programs. */
export interface User {
  uid: number;
  gid: number;
}

/** Facts that determine the user of programs. */
export interface Privileges {
  /** User of this process. */
  uid: number;
  /** Its effective capabilities from /proc/PID/status. */
  capabilities: bigint;
  /** Whether the user of the benchmark requested root. */
  keepsRoot: boolean;
  /** Owner of the project's folder. */
  owner: User;
  /** Why programs cannot run as this user; null: they can, and can read the project's folder. */
  problemOf(user: User): string | null;
}

interface UserChoice {
  /** null: programs run as the user of this process. */
  user: User | null;
  /** Why programs run as root; null: not as root. */
  whyRoot: string | null;
}

/** Makes programs run as root, for cases where they fail as another user. */
export const KEEPS_ROOT = 'RUN_AS_ROOT';

/**
 * Unused by accounts: systemd and Debian assign numbers below and above. Unlike with a shared system account, no daemon runs under
 * it and no file belongs to it. Below 65536, so that it exists in containers with user namespaces.
 */
const UNUSED: User = { uid: 61183, gid: 61183 };

/** Capabilities that root needs to run programs as another user, watch and end them, and remove their files; many containers lack some. */
const NEEDED_CAPABILITIES: Readonly<Record<string, bigint>> = {
  CHOWN: 0n,
  DAC_OVERRIDE: 1n,
  KILL: 5n,
  SETGID: 6n,
  SETUID: 7n,
  SETPCAP: 8n,
  SYS_PTRACE: 19n,
};

/** Capability that some programs keep, because they would behave differently without it. */
type Capability = keyof typeof CAPABILITIES;
const CAPABILITIES = { net_admin: 12n } as const;

/**
 * Chooses the user of programs. The project's owner is the second choice, for projects in a private home: a
 * compromised program could then change the project, which root runs.
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
  // A group may have other members.
  const user = { uid: owner.uid, gid: owner.gid === 0 ? owner.uid : owner.gid };
  if (owner.uid !== 0 && problemOf(user) === null) return { user, whyRoot: null };
  return { user: null, whyRoot: problem };
}

let chosen: UserChoice | null = null;

/** User of unprivileged programs of this process. */
export function userChoice(): UserChoice {
  chosen ??= chooseUser(privilegesHere());
  return chosen;
}

/** Needs of an unprivileged program. */
export interface ProgramNeeds {
  /** Prefix of its command that enters a namespace. */
  enter?: readonly string[];
  /** Files that it reads and folders that it enters. */
  reads?: readonly string[];
  keeps?: readonly Capability[];
}

/**
 * Command prefix that drops privileges. Empty: this process is not root, or the program must run as root here,
 * for which stderr gives the reason once.
 * @param program looked up in PATH
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
  // The program itself reports missing files.
  const [, hidden] =
    needed.find(([how, file]) => existsSync(file) && !mayUse(user, how, file)) ?? [];
  if (hidden !== undefined) {
    warnOnce(`${name} runs as root: ${problemWith(hidden, user)}. ${REMEDY}`);
    return [];
  }
  return wordsFor(user, keeps);
}

/** Command that runs a program without privileges where possible. */
export function withoutRights(command: readonly string[], needs: ProgramNeeds = {}): string[] {
  return [...(needs.enter ?? []), ...dropRights(command[0] ?? '', needs), ...command];
}

/** Changes the owner of files or folders to the user of programs; no change if that is the user of this process. */
export async function lend(...files: readonly string[]): Promise<void> {
  const { user } = userChoice();
  if (user) for (const file of files) await chown(file, user.uid, user.gid);
}

/**
 * Opens a file written by an unprivileged program, which may have replaced it by a link or a pipe without end.
 * @throws Error when it is not a plain file of this user or the user of programs
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
    // The user may lack access to root's current folder.
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

/** Runs outside the project's folder, which the user may not be able to enter. */
function bareWords(user: User): string[] {
  return wordsFor(user, []).filter((word) => !word.startsWith('--chdir='));
}

const accessByUser = new Map<string, boolean>();

/** Tests access, which also depends on parent folders and access lists. */
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
