import path from 'node:path';
import { boundedBody } from '../ground/system/bounded-body.ts';
import { openWritten } from '../ground/system/unprivileged-user.ts';

/** A folder with a profile's lifetime, for files that the browser reads but cannot change. */
export function folderAroundProfile(profileFolder: string): string {
  return path.dirname(profileFolder);
}

/** Prefix for a browser's command: its temporary files, which a kill would leave behind, are removed with the profile. */
export function temporaryFilesIn(profileFolder: string): string {
  return `TMPDIR=${profileFolder}`;
}

/** Where a browser writes the secrets of its TLS and QUIC sessions. */
export function keyLogFileIn(profileFolder: string): string {
  return path.join(profileFolder, 'keys.log');
}

/** A line has 180 bytes; a session has five lines. */
const MAX_KEY_LOG_BYTES = 64_000_000;

/** The key log written so far; null: none. */
export async function readKeyLog(keyLogFile: string): Promise<Buffer | null> {
  const handle = await openWritten(keyLogFile).catch(() => null);
  return handle && boundedBody(handle.createReadStream(), MAX_KEY_LOG_BYTES, 'the key log');
}
