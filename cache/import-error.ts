import { UsageError } from '../ground/system/exit-status.ts';

/** An archive or a recording cannot become a site; the message names the file, the entry and a remedy. */
export class ImportError extends UsageError {
  override name = 'ImportError';
}

/** Archive text for messages: printable ASCII, at most `maxCharacters` long. */
export function shown(text: string, maxCharacters = 120): string {
  const plain = text.slice(0, maxCharacters + 1).replace(/[^\x20-\x7e]/g, '?');
  return plain.length <= maxCharacters ? plain : `${plain.slice(0, maxCharacters - 3)}...`;
}
