import { execFileSync } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Makes a separate file system in memory, passes on its folder, and removes it; needs root. */
export async function withSmallDisk<T>(
  sizeMb: number,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quic-vs-https-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'quic-vs-https', folder]);
  try {
    return await use(folder);
  } finally {
    execFileSync('umount', [folder]);
    await rmdir(folder);
  }
}
