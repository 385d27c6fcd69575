import { existsSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'quic-vs-https-';

/** The world of process numbers that this one is of: containers that share a folder have one each. */
const WORLD = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';

const PURPOSES = ['profile', 'logs', 'keys', 'samples', 'by-hand', 'video'] as const;

type Purpose = (typeof PURPOSES)[number];

/** What the name of each folder of a process begins with. */
export function namesBegin(what: Purpose, pid: number, world = WORLD): string {
  return `${PREFIX}${what}-${pid}-${world}-`;
}

/** A folder that is of no use to any other process. Whoever makes one removes it. */
export interface TemporaryFolder {
  folder: string;
  remove(): Promise<void>;
}

export async function makeTemporaryFolder(what: Purpose): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), namesBegin(what, process.pid)));
  return { folder, remove: () => remove(folder) };
}

/** Makes such a folder, hands it on, and always removes it. */
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

/** Removes the folders that killed runs left behind. Of those of other containers nobody can tell here whether they are used. */
export async function removeLeftFolders(): Promise<void> {
  const left = new RegExp(`^${PREFIX}(?:${PURPOSES.join('|')})-(\\d+)-${WORLD}-`);
  for (const name of await readdir(os.tmpdir())) {
    const [, pid] = left.exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) await remove(path.join(os.tmpdir(), name));
  }
}

/** Last writes of a program that was just ended may still come in, so it tries more than once. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
