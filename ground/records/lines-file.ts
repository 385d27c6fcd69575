import { constants } from 'node:fs';
import path from 'node:path';
import { openPlain } from '../system/plain-file.ts';
import { flushFolder } from './atomic-file.ts';

/** An append-only file with one record on each line. The cost of a line does not depend on the size of the file. */
export type LinesFile = Awaited<ReturnType<typeof openLines>>;

/**
 * Opens a file to append lines, and creates it if it is missing.
 * @param isNew fails if the file exists
 */
export async function openLines(file: string, { isNew = false } = {}) {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
  const handle = await openPlain(file, O_WRONLY | O_APPEND | O_CREAT | (isNew ? O_EXCL : 0));
  let { size: sizeBytes } = await handle.stat();
  await flushFolder(path.dirname(file));
  return {
    file,
    /**
     * Appends a line for each record and flushes them to the disk.
     * @throws Error of the system when they do not fit; the file is then unchanged
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
        // The next line would continue a partial one.
        await handle.truncate(sizeBytes).catch(() => {});
        throw error;
      }
    },
    close: () => handle.close(),
  };
}
