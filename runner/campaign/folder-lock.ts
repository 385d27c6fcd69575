import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../errors.ts';
import { machineName } from './sitting.ts';

/** The file that says who measures into a run's folder. */
export const LOCK_NAME = '.lock';

/** A process of a machine, and which of all that ever had its number. */
interface Owner {
  machine: string;
  pid: number;
  startTicks: string;
}

/**
 * Keeps a run's folder for this process alone, so that no load is measured twice; what it returns gives it free. The lock of
 * a process that was killed holds nobody up.
 * @throws UsageError when another one is at work there
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  assertUnlocked(folder);
  const file = path.join(folder, LOCK_NAME);
  await rm(file, { force: true });
  const { pid } = process;
  const owner: Owner = { machine: machineName(), pid, startTicks: startTicksOf(pid) ?? '' };
  await writeFile(file, JSON.stringify(owner), { flag: 'wx' }).catch((error) => {
    assertUnlocked(folder); // Somebody else was faster.
    throw error;
  });
  return () => rm(file, { force: true });
}

/** @throws UsageError when a process of this machine is at work in the folder; of other machines nobody can tell. */
export function assertUnlocked(folder: string): void {
  const owner = readOwner(path.join(folder, LOCK_NAME));
  if (owner === null || owner.machine !== machineName()) return;
  if (startTicksOf(owner.pid) !== owner.startTicks) return;
  throw new UsageError(
    `${folder}: process ${owner.pid} is measuring into it just now. Wait for its end, or stop it (Ctrl-C, or kill ${owner.pid}).`,
  );
}

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // There is none, or it was cut.
  }
}

/** When a process was started, in ticks since the machine was; null: there is no such process. */
function startTicksOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields are counted from behind the program's name, which may hold blanks and brackets.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
