import { InterruptedError } from '../ground/system/errors.ts';
import { EXIT } from '../ground/system/exit-status.ts';
import { complain } from '../ground/system/printed.mjs';

/** Requests to stop, from the user or the system. */
export interface Stop {
  /** Aborted by the first signal: the attempt in progress is finished, and none is begun any more. */
  soon: AbortSignal;
  /** Aborted by the second one: everything in progress is stopped and cleaned up. */
  now: AbortSignal;
}

/** Ctrl-C or SIGTERM: the first finishes the attempt in progress, the second stops now, the third ends the process without clean-up. */
export function stopOnSignals(say: (text: string) => void = complain): Stop {
  const [soon, now] = [new AbortController(), new AbortController()];
  onEachSignal([
    (name, interrupted) => {
      soon.abort(interrupted);
      say(`\nInterrupted (${name}): finishing the attempt in progress. Once more stops at once.`);
    },
    (_, interrupted) => {
      now.abort(interrupted);
      say('\nStopping at once.');
    },
  ]);
  return { soon: soon.signal, now: now.signal };
}

/** Ctrl-C or SIGTERM without an attempt to finish: the first stops now, the second ends the process without clean-up. */
export function stopNowOnSignals(): AbortSignal {
  const now = new AbortController();
  onEachSignal([(_, interrupted) => now.abort(interrupted)]);
  return now.signal;
}

/** Signals that stop now, unless they are lent. */
export interface LentSignals {
  now: AbortSignal;
  /** Lends them to the taker until `until` has ended. */
  lend<T>(taker: (name: NodeJS.Signals) => void, until: () => Promise<T>): Promise<T>;
}

/** Like stopNowOnSignals(), with signals that can be lent. */
export function lendSignals(): LentSignals {
  const now = new AbortController();
  let taker: ((name: NodeJS.Signals) => void) | null = null;
  onEachSignal([(_, interrupted) => now.abort(interrupted)], () => taker);
  return {
    now: now.signal,
    async lend(to, until) {
      taker = to;
      try {
        return await until();
      } finally {
        taker = null;
      }
    },
  };
}

type SignalHandler = (name: NodeJS.Signals, interrupted: InterruptedError) => void;

/** Takes one step for each signal; after the last step, a signal ends the program by default. */
function onEachSignal(
  steps: readonly SignalHandler[],
  takerNow: () => ((name: NodeJS.Signals) => void) | null = () => null,
): void {
  const left = [...steps];
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      const taker = takerNow();
      if (taker) return taker(name);
      const step = left.shift();
      if (step) step(name, new InterruptedError(`Interrupted (${name}).`));
      else process.exit(EXIT.interrupted);
    });
  }
}
