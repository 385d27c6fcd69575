import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';
import type { preferencesFor } from './preferences.ts';
import { DEBUGGER, DEBUGGER_FILE } from './worker-script.ts';

/** Makes a fresh profile folder, without cache, session tickets or cookies. */
export async function makeProfile(
  preferences: ReturnType<typeof preferencesFor>,
): Promise<TemporaryFolder> {
  const { folder: around, remove } = await makeTemporaryFolder('profile');
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

/** Prefix for Firefox's command, as its user: ends with the reason where the profile cannot be written, with which Firefox would hang. */
export function withRoomIn(folder: string): string[] {
  return ['sh', '-c', NEED_ROOM, folder];
}

/** A profile has 22 MB after some loads. */
const PROFILE_MB = 32;

const NEED_ROOM = `{ head -c ${PROFILE_MB}M /dev/zero > "$0/room" && rm "$0/room"; } || {
  echo "Firefox's profile needs ${PROFILE_MB} MB in $0, which cannot be written." >&2
  exit 1
}
exec "$@"`;
