import { InterruptedError } from '../ground/system/errors.ts';
import { EXIT } from '../ground/system/exit-status.ts';
import { complain } from '../ground/system/printed.mjs';

/** What the user, or the administrator of the machine, asked for. */
export interface Stop {
  /** Aborted by the first signal: the attempt in progress is finished, and none is begun any more. */
  soon: AbortSignal;
  /** Aborted by the second one: everything in progress is stopped and cleaned up. */
  now: AbortSignal;
}

/** Ctrl-C or a request to end: once finishes the attempt in progress, twice stops now, a third time leaves everything as it is. */
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

/** The same where nothing is worth finishing: once stops now, twice leaves everything as it is. */
export function stopNowOnSignals(): AbortSignal {
  const now = new AbortController();
  onEachSignal([(_, interrupted) => now.abort(interrupted)]);
  return now.signal;
}

/** Signals that stop now, but while somebody else takes them. */
export interface LentSignals {
  now: AbortSignal;
  /** Gives them to the taker until what it is called for has ended. */
  lend<T>(taker: (name: NodeJS.Signals) => void, until: () => Promise<T>): Promise<T>;
}

/** As stopNowOnSignals() has it, but while they are lent. */
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

/** Takes one step with each signal that nobody else takes; when all are taken, the next one ends the program as it is. */
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
