import { EXIT, ExitError } from '../system/exit-status.ts';

/** A run's folder is unusable; the message names the file, the position and the remedy. */
export class DamagedRunError extends ExitError {
  override name = 'DamagedRunError';
  readonly exitStatus = EXIT.usage;
}
