import path from 'node:path';
import { DamagedRunError } from './damaged-run.ts';

/**
 * Characters of a name that becomes a part of a path: those of hosts with ports, of sites, stacks, conditions and ids. A separator, a
 * blank or a control character is not among them. Endings such as `.pcapng.unfinished` follow, and file systems hold 255 bytes.
 */
const CHARACTERS = '[A-Za-z0-9_.:@~+,=\\[\\]-]';
const NAME = `(?!\\.)${CHARACTERS}{1,200}`;

/** Of a file or a folder, in a JSON Schema. */
export const FILE_NAME_PATTERN = `^${NAME}$`;

/** Of a file in one of the folders below a run's folder, in a JSON Schema: har/a.har. */
export const FILE_PATH_PATTERN = `^[a-z][a-z-]*/(?!\\.)${CHARACTERS}{1,250}$`;

/** What the two patterns expect, for messages. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [FILE_NAME_PATTERN]:
    'a name of at most 200 letters, digits and _ . : @ ~ + , = [ ] -, without a dot first',
  [FILE_PATH_PATTERN]: 'the path of a file in a folder of the run, such as har/a.har',
};

const FILE_PATH = new RegExp(FILE_PATH_PATTERN);
const FILE_WITH_ENDING = new RegExp(`^(?!\\.)${CHARACTERS}{1,250}$`);

/**
 * A file of a folder by a name, or by a path of two steps, that may come from another machine.
 * @throws DamagedRunError when it could lead out of the folder: schemas refuse such names, and this is what remains where one does not
 */
export function inFolder(folder: string, name: string): string {
  if (FILE_WITH_ENDING.test(name) || FILE_PATH.test(name)) return path.join(folder, name);
  throw new DamagedRunError(
    `${JSON.stringify(name.slice(0, 80))} cannot be the name of a file in ${folder}: expected ${PATTERN_WORDS[FILE_NAME_PATTERN]}.`,
  );
}
