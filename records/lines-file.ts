import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder } from './flush-folder.ts';

/** A file of records, one on each line, that only grows, by whole lines. The cost of a line is the same however many there are. */
export class LinesFile {
  readonly file: string;
  readonly #handle: FileHandle;
  #sizeBytes: number;

  private constructor(file: string, handle: FileHandle, sizeBytes: number) {
    this.file = file;
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
  }

  /**
   * Opens a file to add to it; makes it when it is not there.
   * @param isNew whether it must not be there yet
   */
  static async open(file: string, { isNew = false } = {}): Promise<LinesFile> {
    const handle = await open(file, isNew ? 'ax' : 'a');
    const { size } = await handle.stat();
    await flushFolder(path.dirname(file));
    return new LinesFile(file, handle, size);
  }

  /**
   * Adds a line for each record; when it returns, they are on the disk.
   * @throws Error of the system when there is no room for all of them; nothing of them is left in the file then
   */
  async append(...records: readonly object[]): Promise<void> {
    const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    try {
      for (let written = 0; written < lines.length; ) {
        const { bytesWritten } = await this.#handle.write(lines, written);
        written += bytesWritten;
      }
      await this.#handle.datasync();
      this.#sizeBytes += lines.length;
    } catch (error) {
      // A line that was written in part would be glued to the next one.
      await this.#handle.truncate(this.#sizeBytes).catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
