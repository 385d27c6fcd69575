import { lstat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LinesFile } from '../../ground/records/lines-file.ts';
import { MachineError } from '../../ground/system/errors.ts';

/** There is no room for the records of a run; what is there is whole. */
export class DiskError extends MachineError {
  override name = 'DiskError';
}

/** The reserve's file in a run's folder. */
export const RESERVE_NAME = '.reserve';

/** More than a few records of loads. */
const RESERVE_BYTES = 256 * 1024;

/**
 * Room on the disk of a folder that is kept for records: when the disk is full it is given back, so that the loads that failed by it
 * can still be recorded.
 */
export function reserveIn(folder: string) {
  const file = path.join(folder, RESERVE_NAME);
  /** Gives the room back; says whether there was any. */
  const give = (): Promise<boolean> =>
    unlink(file).then(
      () => true,
      () => false,
    );
  return {
    give,
    /** Takes the room if it is not taken; says whether it has it. */
    async take(): Promise<boolean> {
      const found = await lstat(file).catch(() => null);
      if (found?.isFile() && found.size === RESERVE_BYTES) return true;
      await give();
      try {
        // Not zeros, which a file system may well store as nothing.
        await writeFile(file, Buffer.alloc(RESERVE_BYTES, 'reserved'), { flag: 'wx', flush: true });
        return true;
      } catch {
        await give();
        return false;
      }
    },
    /**
     * Adds a record to a file, in this room when there is no other.
     * @throws DiskError when there is none; nothing of the record is left in the file
     */
    async append(lines: LinesFile, record: object): Promise<void> {
      try {
        await lines.append(record);
      } catch (error) {
        if (!(await give())) throw noRoom(lines, error as Error);
        await lines.append(record).catch((again: Error) => {
          throw noRoom(lines, again);
        });
      }
    },
  };
}

function noRoom({ file }: LinesFile, { message }: Error): DiskError {
  return new DiskError(
    `${file} cannot be written: ${message}. All lines in it are complete. Make room, then use --resume.`,
  );
}
