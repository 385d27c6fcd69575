import { type FileHandle, open, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder } from '../../records/flush-folder.ts';
import { MachineError } from '../../system/errors.ts';

/** There is no room for the records of a run; what is there is whole. */
export class DiskError extends MachineError {
  override name = 'DiskError';
}

/** The reserve's file in a run's folder. */
export const RESERVE_NAME = '.reserve';

/** More than a few records of loads. */
const RESERVE_BYTES = 256 * 1024;

/**
 * Room on the disk that is kept for records: when the disk is full it is given back, so that the loads that failed by it
 * can still be recorded.
 */
export class Reserve {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = path.join(folder, RESERVE_NAME);
  }

  /** Takes the room if it is not taken; says whether it has it. */
  async take(): Promise<boolean> {
    const size = await stat(this.#file).then(
      (found) => found.size,
      () => 0,
    );
    if (size === RESERVE_BYTES) return true;
    try {
      // Not zeros, which a file system may well store as nothing.
      await writeFile(this.#file, Buffer.alloc(RESERVE_BYTES, 'reserved'), { flush: true });
      return true;
    } catch {
      await this.give();
      return false;
    }
  }

  /** Gives the room back; says whether there was any. */
  async give(): Promise<boolean> {
    return unlink(this.#file).then(
      () => true,
      () => false,
    );
  }
}

/** A file of JSON lines that only grows, by whole lines. The cost of a line is the same however many there are. */
export class LinesFile {
  readonly #handle: FileHandle;
  readonly #file: string;
  readonly #reserve: Reserve;
  #sizeBytes: number;

  private constructor(handle: FileHandle, file: string, reserve: Reserve, sizeBytes: number) {
    this.#handle = handle;
    this.#file = file;
    this.#reserve = reserve;
    this.#sizeBytes = sizeBytes;
  }

  /** Opens a file to add to it; makes it when it is not there. */
  static async open(file: string, reserve: Reserve): Promise<LinesFile> {
    const handle = await open(file, 'a');
    const { size } = await handle.stat();
    await flushFolder(path.dirname(file));
    return new LinesFile(handle, file, reserve, size);
  }

  /**
   * Adds a line; when it returns, the line is on the disk.
   * @throws DiskError when there is no room; nothing of the line is left in the file
   */
  async append(record: object): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    try {
      await this.#write(line);
    } catch (error) {
      if (!(await this.#reserve.give())) throw this.#noRoom(error as Error);
      await this.#write(line).catch((again: Error) => {
        throw this.#noRoom(again);
      });
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #write(line: Buffer): Promise<void> {
    try {
      for (let written = 0; written < line.length; ) {
        const { bytesWritten } = await this.#handle.write(line, written);
        written += bytesWritten;
      }
      await this.#handle.datasync();
      this.#sizeBytes += line.length;
    } catch (error) {
      // A line that was written in part would be glued to the next one.
      await this.#handle.truncate(this.#sizeBytes).catch(() => {});
      throw error;
    }
  }

  #noRoom(error: Error): DiskError {
    return new DiskError(
      `${this.#file} cannot be written: ${error.message}. All lines that are in it are whole. Make room, then go on with --resume.`,
    );
  }
}
