import { BrowserHungError } from '../clients/chromium/chromium.ts';
import { contextPoolFor } from '../clients/chromium/context-pool.ts';
import type { Failure } from '../clients/chromium/failure.ts';
import { LIMITS } from '../clients/chromium/limits.ts';
import type { ContextPool, LoadContext } from '../clients/chromium/load-context.ts';
import { readKeyLog } from '../clients/chromium/profile.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError, NameServerError, NetworkError } from '../ground/system/errors.ts';
import { AttemptEnded, failed } from './checks.ts';
import type { Bench } from './measuring.ts';

/** What attempts in browsers that are open already take of a bench. */
export type BrowserBench = Omit<Bench, 'programs' | 'enter' | 'blockOf' | 'made'>;

/** Contexts in browsers for all attempts of a bench. */
export function benchContextPool(bench: Bench): ContextPool {
  const { isolation, tlsMost, netLogs = false } = bench.choices;
  const { programs, enter, results, warn, signal } = bench;
  const keepNetLog = (id: string, netLogFile: string) =>
    results.keepNetLog(id, netLogFile).catch((error: Error) => {
      warn(`The NetLog of ${id} could not be kept: ${error.message}`);
    });
  return contextPoolFor(isolation, bench.servers, {
    chromium: programs.chromium,
    enter,
    tlsMost,
    ...(netLogs && { keepNetLog }),
    signal,
  });
}

/** What making a place for an attempt can take. */
export const CONTEXT_LIMIT_MS = LIMITS.browserStartMs + LIMITS.browserAnswerMs;

/**
 * Waits for a browser, which may hang.
 * @param what it has the time for: `the load`
 * @throws BrowserHungError when the time is over
 */
export function awaitBrowser<T>(
  promise: Promise<T>,
  limitMs: number,
  what: string,
  { signal }: Pick<Bench, 'signal'>,
): Promise<T> {
  const late = () => {
    throw new BrowserHungError(what, limitMs);
  };
  return withDeadline(promise, limitMs, late, signal);
}

/** What broke: the path, or else the browser. Only an interruption is thrown, and what the machine lacks. */
export function failureOf(error: Error, { signal }: Pick<Bench, 'signal'>): Failure {
  signal?.throwIfAborted();
  if (error instanceof MachineError) throw error;
  if (error instanceof NameServerError) {
    return { code: 'names-unanswered', message: error.message };
  }
  if (error instanceof NetworkError) return { code: 'network-failed', message: error.message };
  if (error instanceof BrowserHungError) return { code: 'browser-hung', message: error.message };
  return { code: 'browser-failed', message: `Chromium failed: ${error.message}` };
}

/** The end of an attempt that an error broke. */
export function browserFailure(error: Error, bench: Pick<Bench, 'signal'>): AttemptEnded {
  return new AttemptEnded(failed(failureOf(error, bench)));
}

/** Gives the place of an attempt back. */
export async function releaseContext(place: LoadContext): Promise<void> {
  // A browser that does not answer meets its end with the next attempt, which it fails.
  await withDeadline(place.leave(), LIMITS.browserAnswerMs, () => {});
}

/** The secrets that the browser has written since a place was opened. */
export async function keysSince({
  keyLogFile,
  keyLogFromByte,
}: Pick<LoadContext, 'keyLogFile' | 'keyLogFromByte'>): Promise<string> {
  const written = await readKeyLog(keyLogFile);
  return written?.toString('latin1', keyLogFromByte) ?? '';
}
