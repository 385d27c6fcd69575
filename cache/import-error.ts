import { UsageError } from '../ground/system/exit-status.ts';

/** An archive or a recording that cannot become a site; the message names the file and the entry, and says what to do. */
export class ImportError extends UsageError {
  override name = 'ImportError';
}

/** Text out of an archive as messages show it: printable ASCII, not longer than `maxCharacters`. */
export function shown(text: string, maxCharacters = 120): string {
  const plain = text.slice(0, maxCharacters + 1).replace(/[^\x20-\x7e]/g, '?');
  return plain.length <= maxCharacters ? plain : `${plain.slice(0, maxCharacters - 3)}...`;
}
