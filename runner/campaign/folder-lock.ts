import { lstatSync, readdirSync } from 'node:fs';
import { mkdtemp, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../ground/system/errors.ts';
import { readIfThere } from '../../ground/system/read-if-there.ts';
import { machineName } from './invocation.ts';

/** Folder with one file, whose name identifies the process that measures into a run's folder; prefix of locks in preparation. */
export const LOCK_NAME = '.lock';

/** A process of a machine, with its start time, as process ids are reused. */
interface Owner {
  machine: string;
  pid: number;
  startTicks: string;
}

/**
 * Locks a run's folder for this process, so that no load is measured twice; returns how to unlock it. The lock of a killed
 * process does not count.
 * @throws UsageError when another process has the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = path.join(folder, LOCK_NAME);
  const { pid } = process;
  const own = nameOf({ machine: machineName(), pid, startTicks: startTicksOf(pid) ?? '0' });
  const prepared = await mkdtemp(`${lock}-`);
  try {
    await writeFile(path.join(prepared, own), '');
    do {
      assertUnlocked(folder);
      await removeLeft(lock);
    } while (!(await isMovedTo(lock, prepared)));
  } finally {
    await rm(prepared, { recursive: true, force: true });
  }
  return async () => {
    await rm(path.join(lock, own), { force: true });
    await rmdir(lock).catch(() => {}); // Another process has taken it already.
  };
}

/** @throws UsageError when a process of this machine measures into the folder; processes of other machines are not visible */
export function assertUnlocked(folder: string): void {
  const owner = namesIn(path.join(folder, LOCK_NAME)).map(ownerOf).find(isAtWork);
  if (!owner) return;
  throw new UsageError(
    `${folder}: process ${owner.pid} is measuring into it. Wait until it ends, or stop it (Ctrl-C, or kill ${owner.pid}).`,
  );
}

/** Removes the locks of killed processes by their names: a process that takes the lock meanwhile has another name. */
async function removeLeft(lock: string): Promise<void> {
  for (const name of namesIn(lock)) {
    const owner = ownerOf(name);
    if (owner === null) {
      throw new UsageError(
        `${path.join(lock, name)} is not part of a lock. Move it elsewhere, and try again.`,
      );
    }
    if (!isAtWork(owner)) await unlink(path.join(lock, name)).catch(() => {});
  }
  await unlink(lock).catch(() => {}); // Locks of earlier versions were files.
}

/** Moves a folder onto one that is empty or missing; of several concurrent moves, one succeeds. */
async function isMovedTo(place: string, folder: string): Promise<boolean> {
  try {
    await rename(folder, place);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST'].includes(code)) return false;
    throw error;
  }
}

function nameOf({ machine, pid, startTicks }: Owner): string {
  return `${machine}.${pid}.${startTicks}`;
}

function ownerOf(name: string): Owner | null {
  const [, machine, pid, startTicks] = /^(.+)\.(\d+)\.(\d+)$/.exec(name) ?? [];
  if (machine === undefined || startTicks === undefined) return null;
  return { machine, pid: Number(pid), startTicks };
}

function isAtWork(owner: Owner | null): owner is Owner {
  return owner?.machine === machineName() && startTicksOf(owner.pid) === owner.startTicks;
}

/** Empty when the lock is not a folder, or is a link. */
function namesIn(lock: string): string[] {
  try {
    return lstatSync(lock).isDirectory() ? readdirSync(lock) : [];
  } catch {
    return []; // The lock is missing.
  }
}

/** Start time of a process, in ticks since boot; null: no such process. */
function startTicksOf(pid: number): string | null {
  const text = readIfThere(`/proc/${pid}/stat`);
  // Counts fields from the end of the program's name, which may contain blanks and brackets.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
