import { InterruptedError } from '../system/errors.ts';
import { EXIT } from '../system/exit-status.ts';

/** A signal that is aborted by Ctrl-C or a request to end; a second one ends at once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort(new InterruptedError(`Interrupted (${name}).`));
    });
  }
  return controller.signal;
}
