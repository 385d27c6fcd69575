import { constants, existsSync, readlinkSync, rmdirSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, readdir, rmdir, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MachineError } from './errors.ts';
import { reasonOf } from './file-error.ts';

/** PID namespace of this process; containers that share a folder have different ones. */
const PID_NAMESPACE = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';

const PURPOSES = ['profile', 'logs', 'keys', 'samples', 'by-hand', 'video', 'site'] as const;

type Purpose = (typeof PURPOSES)[number];

/**
 * Permissions of the parent: other users can neither list nor change it, but programs of the run under another
 * user can reach their own folder.
 */
const PARENT_MODE = 0o711;

/** Parent of all temporary folders of this user, in the system's temporary folder. */
export function temporaryParent(): string {
  return path.join(os.tmpdir(), `quic-vs-https-${process.geteuid?.() ?? 0}`);
}

/** Prefix of all temporary folders of a process. */
export function temporaryPrefix(what: Purpose, pid: number, pidNamespace = PID_NAMESPACE): string {
  return path.join(temporaryParent(), `${what}-${pid}-${pidNamespace}-`);
}

/** A folder for this process alone, removed by its creator. */
export interface TemporaryFolder {
  folder: string;
  remove(): Promise<void>;
}

/** @throws MachineError when the system's temporary folder is missing or not writable */
export async function makeTemporaryFolder(what: Purpose): Promise<TemporaryFolder> {
  try {
    const parent = await ownParent();
    const name = path.basename(temporaryPrefix(what, process.pid));
    const folder = await mkdtemp(path.join(parent, name));
    return { folder, remove: () => remove(folder) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ELOOP'].includes(code)) throw error;
    throw new MachineError(
      `No temporary folder can be created in ${os.tmpdir()}: ${reasonOf(error)}. Set TMPDIR to a folder that exists and can be written to.`,
    );
  }
}

/** Creates a temporary folder, passes it on, and always removes it. */
export async function withTemporaryFolder<T>(
  what: Purpose,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const made = await makeTemporaryFolder(what);
  try {
    return await use(made.folder);
  } finally {
    await made.remove();
  }
}

/**
 * Removes folders of killed runs of this user, except those of other containers, whose processes are invisible
 * here. Failures are ignored, as no run may fail because of them.
 */
export async function removeLeftFolders(): Promise<void> {
  const parent = temporaryParent();
  if (!(await isOwnParent(parent))) return;
  const left = new RegExp(`^(?:${PURPOSES.join('|')})-(\\d+)-${PID_NAMESPACE}-`);
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid] = left.exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) await remove(path.join(parent, name), 1);
  }
}

/** Replacement parents, by the usual name that is taken. */
const fallbackParents = new Map<string, Promise<string>>();

/** The parent, which only this user can write to. */
async function ownParent(): Promise<string> {
  const parent = temporaryParent();
  await mkdir(parent, { mode: PARENT_MODE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (await isOwnParent(parent)) return parent;
  const fallback = fallbackParents.get(parent) ?? makeFallbackParent(parent);
  fallbackParents.set(parent, fallback);
  return fallback;
}

/** Used if the usual name is a link or belongs to another user. */
async function makeFallbackParent(parent: string): Promise<string> {
  const fallback = await mkdtemp(`${parent}-`);
  await isOwnParent(fallback);
  process.on('exit', () => {
    try {
      rmdirSync(fallback);
    } catch {
      // The folder is not empty.
    }
  });
  return fallback;
}

/** Whether this is a folder, not a link to one, that belongs to this user and that no other user can write to. Sets its permissions. */
async function isOwnParent(folder: string): Promise<boolean> {
  const handle = await openFolder(folder);
  if (handle === null) return false;
  try {
    const { uid, mode } = await handle.stat();
    if (uid !== process.geteuid?.() || (mode & 0o022) !== 0) return false;
    // The umask may have removed some.
    if ((mode & 0o777) !== PARENT_MODE) await handle.chmod(PARENT_MODE);
    return true;
  } finally {
    await handle.close();
  }
}

/** null: missing, not a folder, a link, or unreadable. */
function openFolder(folder: string): Promise<FileHandle | null> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  return open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => null);
}

/** Attempts to remove a folder: ended programs may still write. */
const MOST_TRIES = 5;

async function remove(folder: string, mostTries = MOST_TRIES): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries++) {
    await removeContents(folder);
    const isGone = await rmdir(folder).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
    );
    if (isGone || tries === mostTries) return;
    await delay(50 * tries);
  }
}

/**
 * Removes as much as possible of a folder. Opens each folder without following links and names entries relative
 * to it: unlike `rm()`, it cannot leave the folder when another process replaces a folder by a link.
 */
async function removeContents(folder: string): Promise<void> {
  const handle = await openFolder(folder);
  if (handle === null) return;
  try {
    const opened = `/proc/self/fd/${handle.fd}`;
    for (const entry of await readdir(opened, { withFileTypes: true })) {
      const entryPath = `${opened}/${entry.name}`;
      if (entry.isDirectory()) {
        await removeContents(entryPath);
        await rmdir(entryPath).catch(() => {});
      } else await unlink(entryPath).catch(() => {});
    }
  } catch {
    // The folder can be opened but not listed.
  } finally {
    await handle.close();
  }
}
