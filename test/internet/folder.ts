import { rmSync } from 'node:fs';
import os from 'node:os';
import { removeLeftFolders, withTemporaryFolder } from '../../ground/system/temporary-folder.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Uses a folder and removes it, also when this process is terminated meanwhile, with all that it
 * has started. Files of killed processes are removed too.
 */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftFolders();
  return withTemporaryFolder('keys', async (folder) => {
    const remove = () => rmSync(folder, { recursive: true, force: true });
    // A process that ends by a signal emits no exit event.
    const end = (signal: NodeJS.Signals) => process.exit(128 + os.constants.signals[signal]);
    process.once('exit', remove);
    for (const signal of SIGNALS) process.once(signal, end);
    try {
      return await use(folder);
    } finally {
      for (const signal of SIGNALS) process.off(signal, end);
      process.off('exit', remove);
    }
  });
}
