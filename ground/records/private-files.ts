import path from 'node:path';
import { runFolder } from './run-folder.ts';

/** Permissions for the owner only. */
export const PRIVATE = { file: 0o600, folder: 0o700 } as const;

/** Permissions of all other files and folders, before the umask. */
const SHARED = { file: 0o666, folder: 0o777 } as const;

const { har, films, packets, tcpInfo, netLog, qlog } = runFolder('');

/** Folders with pictures of pages, packets, header fields, cookies or TLS secrets. */
const PRIVATE_FOLDERS: readonly string[] = [har, films, packets, tcpInfo, netLog, qlog];

/** Permissions of a folder in a run's folder, and of its files. */
export function modesOf(folder: string): { file: number; folder: number } {
  return PRIVATE_FOLDERS.includes(path.basename(folder)) ? PRIVATE : SHARED;
}
