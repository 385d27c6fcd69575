import { constants } from 'node:fs';
import path from 'node:path';
import { openPlain } from '../system/plain-file.ts';
import { flushFolder } from './atomic-file.ts';

/** A file of records, one on each line, that only grows, by whole lines. The cost of a line is the same however many there are. */
export type LinesFile = Awaited<ReturnType<typeof openLines>>;

/**
 * Opens a file to add lines to it; makes it when it is not there.
 * @param isNew whether it must not be there yet
 */
export async function openLines(file: string, { isNew = false } = {}) {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
  const handle = await openPlain(file, O_WRONLY | O_APPEND | O_CREAT | (isNew ? O_EXCL : 0));
  let { size: sizeBytes } = await handle.stat();
  await flushFolder(path.dirname(file));
  return {
    file,
    /**
     * Adds a line for each record; when it returns, they are on the disk.
     * @throws Error of the system when there is no room for all of them; nothing of them is left in the file then
     */
    async append(...records: readonly object[]): Promise<void> {
      const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      try {
        for (let written = 0; written < lines.length; ) {
          const { bytesWritten } = await handle.write(lines, written);
          written += bytesWritten;
        }
        await handle.datasync();
        sizeBytes += lines.length;
      } catch (error) {
        // A line that was written in part would be glued to the next one.
        await handle.truncate(sizeBytes).catch(() => {});
        throw error;
      }
    },
    close: () => handle.close(),
  };
}
