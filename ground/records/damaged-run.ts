import { EXIT, ExitError } from '../system/exit-status.ts';

/** A run's folder cannot be used; the message names the file, the place in it and what to do. */
export class DamagedRunError extends ExitError {
  override name = 'DamagedRunError';
  readonly exitStatus = EXIT.usage;
}
