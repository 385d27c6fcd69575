import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'quic-vs-https-';

/** What a temporary folder is for. */
type Purpose = 'profile' | 'logs' | 'keys';

/** A folder that is of no use to any other process. Whoever makes one removes it. */
export interface TemporaryFolder {
  folder: string;
  remove(): Promise<void>;
}

export async function makeTemporaryFolder(what: Purpose): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${what}-${process.pid}-`));
  return { folder, remove: () => remove(folder) };
}

/** Makes such a folder, hands it on, and removes it whatever happens. */
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

/** Removes the folders that killed runs left behind. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(?:profile|logs|keys)-(\\d+)-`).exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) await remove(path.join(os.tmpdir(), name));
  }
}

/** Last writes of a program that was just ended may still come in, so it tries more than once. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
