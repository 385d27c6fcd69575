import { UsageError } from '../ground/system/exit-status.ts';

/** An archive or a recording that cannot become a site; the message names the file and the entry, and says what to do. */
export class ImportError extends UsageError {
  override name = 'ImportError';
}
