import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'quic-vs-https-keys-';

/**
 * Makes a folder for keys and certificates of one run alone (ensureCertificates() fills it), hands it on, and removes it
 * whatever happens. Nobody but its owner may look into it.
 */
export async function withRunKeys<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the keys that killed runs left behind. */
export async function removeLeftRunKeys(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (!pid || existsSync(`/proc/${pid}`)) continue;
    await rm(path.join(os.tmpdir(), name), { recursive: true, force: true });
  }
}
