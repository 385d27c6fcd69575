import { EXIT, ExitError } from '../../system/exit-status.ts';

/** These folders cannot become one run; the message says why, and nothing was written. */
export class MergeError extends ExitError {
  override name = 'MergeError';
  readonly exitStatus = EXIT.usage;
}
