import path from 'node:path';
import { runFolder } from './run-folder.ts';

/** Permissions of files and folders that the owner alone can read. */
export const PRIVATE = { file: 0o600, folder: 0o700 } as const;

/** Permissions of the others, of which the umask takes some. */
const SHARED = { file: 0o666, folder: 0o777 } as const;

const { har, packets, tcpInfo, netLog, qlog } = runFolder('');

/** Folders of a run with the packets, header fields, cookies or TLS secrets of its attempts. */
const PRIVATE_FOLDERS: readonly string[] = [har, packets, tcpInfo, netLog, qlog];

/** Permissions of a folder in the folder of a run, and of the files in it. */
export function modesOf(folder: string): { file: number; folder: number } {
  return PRIVATE_FOLDERS.includes(path.basename(folder)) ? PRIVATE : SHARED;
}
