import path from 'node:path';
import { CANARY } from './exchange.ts';
import type { Choices } from './random.ts';

/** One archive as it will lie on the disk. */
export interface FuzzInput {
  /** Name of the file or folder that is imported. */
  archive: string;
  /** Paths below the folder of the input, with their content or with where a symbolic link leads. */
  files: Map<string, Buffer | { link: string }>;
}

/** How inputs of each name are made. */
export type FuzzMakers = Readonly<Record<string, (choices: Choices) => FuzzInput>>;

/** A file that nothing may read, in the folder above the archive's, and beside an archive that is one file. */
export const CANARY_FILE = 'outside.txt';

export function oneFile(archive: string, content: Buffer): FuzzInput {
  const beside = path.posix.join(path.posix.dirname(archive), CANARY_FILE);
  return {
    archive,
    files: new Map([
      [archive, content],
      [beside, Buffer.from(CANARY)],
    ]),
  };
}
