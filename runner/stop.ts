import { InterruptedError } from '../system/errors.ts';
import { EXIT } from '../system/exit-status.ts';

/** What the user, or whoever keeps the machine, asked for. */
export interface Stop {
  /** Aborted by the first signal: the load at work is finished, and none is begun any more. */
  soon: AbortSignal;
  /** Aborted by the second one: whatever goes on is broken off and put away. */
  now: AbortSignal;
}

/** Ctrl-C or a request to end: once finishes the load at work, twice stops now, a third time leaves everything as it is. */
export function stopOnSignals(say: (text: string) => void = (text) => console.error(text)): Stop {
  const soon = new AbortController();
  const now = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      const interrupted = new InterruptedError(`Interrupted (${name}).`);
      if (!soon.signal.aborted) {
        soon.abort(interrupted);
        say(`\nInterrupted (${name}): finishing the load at work. Once more stops at once.`);
      } else if (!now.signal.aborted) {
        now.abort(interrupted);
        say('\nStopping at once.');
      } else process.exit(EXIT.interrupted);
    });
  }
  return { soon: soon.signal, now: now.signal };
}
