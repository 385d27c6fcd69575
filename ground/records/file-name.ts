import path from 'node:path';
import { DamagedRunError } from './damaged-run.ts';

/**
 * Characters of hosts with ports, sites, stacks, conditions and ids; no separators, blanks or control
 * characters. The length leaves room for endings such as `.pcapng.unfinished` within the 255 bytes of file
 * systems.
 */
const CHARACTERS = '[A-Za-z0-9_.:@~+,=\\[\\]-]';
const NAME = `(?!\\.)${CHARACTERS}{1,200}`;

/** Pattern of a file or folder name, for JSON Schema. */
export const FILE_NAME_PATTERN = `^${NAME}$`;

/** Pattern of a path such as har/a.har, for JSON Schema. */
export const FILE_PATH_PATTERN = `^[a-z][a-z-]*/(?!\\.)${CHARACTERS}{1,250}$`;

/** Descriptions of the patterns for messages. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [FILE_NAME_PATTERN]:
    'a name of at most 200 letters, digits and _ . : @ ~ + , = [ ] -, without a dot first',
  [FILE_PATH_PATTERN]: 'the path of a file in a folder of the run, such as har/a.har',
};

const FILE_PATH = new RegExp(FILE_PATH_PATTERN);
const FILE_WITH_ENDING = new RegExp(`^(?!\\.)${CHARACTERS}{1,250}$`);

/**
 * Path of a file in a folder. The name, or path of two steps, may come from another machine.
 * @throws DamagedRunError when it could leave the folder; schemas already reject such names
 */
export function inFolder(folder: string, name: string): string {
  if (FILE_WITH_ENDING.test(name) || FILE_PATH.test(name)) return path.join(folder, name);
  throw new DamagedRunError(
    `${JSON.stringify(name.slice(0, 80))} cannot be the name of a file in ${folder}: expected ${PATTERN_WORDS[FILE_NAME_PATTERN]}.`,
  );
}
