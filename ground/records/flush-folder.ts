import { open } from 'node:fs/promises';

/** Puts on the disk which files and folders a folder has: without it, what is new in it or renamed may be gone when the power is lost. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot, and do without.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
