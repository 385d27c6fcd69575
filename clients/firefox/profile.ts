import { chmod, mkdir, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bytesText } from '../../ground/system/bounded-buffer.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';
import type { preferencesFor } from './preferences.ts';
import { DEBUGGER, DEBUGGER_FILE } from './worker-script.ts';

/** A profile has 22 MB after some loads. */
const PROFILE_BYTES = 32_000_000;

/** Why a folder has no room for a profile, without which Firefox fails and does not say why; null: it has. */
export function lackOfRoom(folder: string, freeBytes: number): string | null {
  return freeBytes < PROFILE_BYTES
    ? `Firefox's profile needs ${bytesText(PROFILE_BYTES)} in ${folder}, which has ${bytesText(freeBytes)} left. Make room, or set TMPDIR to another folder.`
    : null;
}

/**
 * Makes a fresh profile folder, without cache, session tickets or cookies.
 * @throws Error when the disk has no room for it
 */
export async function makeProfile(
  preferences: ReturnType<typeof preferencesFor>,
): Promise<TemporaryFolder> {
  const { folder: around, remove } = await makeTemporaryFolder('profile');
  const { bavail, bsize } = await statfs(around);
  const lack = lackOfRoom(path.dirname(around), bavail * bsize);
  if (lack !== null) {
    await remove();
    throw new Error(lack);
  }
  const folder = path.join(around, 'profile');
  const file = path.join(folder, 'user.js');
  await mkdir(path.join(folder, 'chrome'), { recursive: true });
  await writeFile(path.join(folder, 'chrome', DEBUGGER_FILE), DEBUGGER);
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await writeFile(file, lines.join(''));
  await chmod(folder, 0o700);
  await chmod(around, 0o711);
  // The folder last: afterwards Firefox's user may have put a link there, so nothing else may write to it.
  await lend(file, folder);
  return { folder, remove };
}
