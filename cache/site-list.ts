import { UsageError } from '../ground/system/exit-status.ts';
import { reasonOf } from '../ground/system/file-error.ts';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { isSiteName } from './catalogue.ts';

/**
 * The sites that a file names: one name per line; what follows a `#` at the beginning of a line or after white space is a comment.
 * In the order of the file.
 * @throws UsageError when it cannot be read, has no name in it, or a line is no name of a site or appears twice
 */
export function readSiteList(file: string): string[] {
  const names: string[] = [];
  for (const [index, line] of textOf(file)
    .split(/\r\n|\n|\r/)
    .entries()) {
    const name = line.replace(/(^|\s)#.*$/, '').trim();
    if (name === '') continue;
    const where = `${file}, line ${index + 1}`;
    if (!isSiteName(name)) {
      throw new UsageError(
        `${where}: ${JSON.stringify(name.slice(0, 120))} is not the name of a site. Expected one name per line, as \`npm run sites\` prints them.`,
      );
    }
    if (names.includes(name)) throw new UsageError(`${where}: ${name} appears twice.`);
    names.push(name);
  }
  if (names.length === 0) throw new UsageError(`${file} names no site.`);
  return names;
}

function textOf(file: string): string {
  try {
    return readPlainTextSync(file).replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${reasonOf(error)}. Name a file with a list of sites.`,
    );
  }
}
