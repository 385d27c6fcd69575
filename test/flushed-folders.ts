import { readdirSync, readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { TestContext } from 'node:test';

/** Records which folders are flushed from now on, each with its names at that moment. */
export async function noteFlushedFolders(t: TestContext): Promise<Record<string, string[]>> {
  const handle = await open('.');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const flushed: Record<string, string[]> = {};
  const sync = prototype.sync;
  t.mock.method(prototype, 'sync', async function (this: FileHandle) {
    if ((await this.stat()).isDirectory()) {
      const folder = readlinkSync(`/proc/self/fd/${this.fd}`);
      flushed[folder] = readdirSync(folder).sort();
    }
    await sync.call(this);
  });
  return flushed;
}
