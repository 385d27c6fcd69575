import path from 'node:path';
import { CANARY } from './exchange.ts';
import type { Choices } from './random.ts';

/** One archive as it will lie on the disk. */
export interface FuzzInput {
  /** Name of the imported file or folder. */
  archive: string;
  /** Paths below the folder of the input, with their content or the target of a symbolic link. */
  files: Map<string, Buffer | { link: string }>;
}

/** Generators of inputs by name. */
export type FuzzMakers = Readonly<Record<string, (choices: Choices) => FuzzInput>>;

/**
 * A file that nothing may read, in the folder above the archive's, and next to an archive that is
 * one file.
 */
export const CANARY_FILE = 'outside.txt';

export function oneFile(archive: string, content: Buffer): FuzzInput {
  const sibling = path.posix.join(path.posix.dirname(archive), CANARY_FILE);
  return {
    archive,
    files: new Map([
      [archive, content],
      [sibling, Buffer.from(CANARY)],
    ]),
  };
}
