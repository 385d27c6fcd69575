import { BrowserHungError } from '../clients/browser-hung.ts';
import { LIMITS } from '../clients/browser-limits.ts';
import { contextPoolFor } from '../clients/chromium/context-pool.ts';
import type { ContextPool, LoadContext } from '../clients/chromium/load-context.ts';
import type { Failure } from '../clients/load-failure.ts';
import { readKeyLog } from '../clients/profile-files.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError, NameServerError, NetworkError } from '../ground/system/errors.ts';
import { AttemptEnded, failed } from './checks.ts';
import type { Bench } from './measuring.ts';

/** The parts of a bench that attempts in open browsers use. */
export type BrowserBench = Omit<Bench, 'programs' | 'enter' | 'blockOf' | 'recordedAttempts'>;

export function benchContextPool(bench: Bench): ContextPool {
  const { isolation, tlsMost, device, netLogs = false } = bench.choices;
  const { programs, enter, results, warn, signal } = bench;
  const keepNetLog = (id: string, netLogFile: string) =>
    results.keepNetLog(id, netLogFile).catch((error: Error) => {
      warn(`The NetLog of ${id} could not be kept: ${error.message}`);
    });
  const servers = bench.servers.map((server) => {
    const { browser } = server.stack;
    if (browser === undefined) return server;
    const chromium = programs.browsers?.[browser];
    if (chromium === undefined) throw new Error(`no binary of the browser ${browser}`);
    return { ...server, chromium };
  });
  return contextPoolFor(isolation, servers, {
    chromium: programs.chromium,
    enter,
    tlsMost,
    ...(device && { device }),
    ...(netLogs && { keepNetLog }),
    signal,
  });
}

/** Time limit for opening a context. */
export const CONTEXT_LIMIT_MS = LIMITS.browserStartMs + LIMITS.browserAnswerMs;

/**
 * Waits for a browser, which may hang.
 * @param what noun of the operation: `the load`
 * @throws BrowserHungError after the time limit
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

/** The failure that an error means: of the path, or else of the browser. Throws interruptions and machine errors. */
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

export function browserFailure(error: Error, bench: Pick<Bench, 'signal'>): AttemptEnded {
  return new AttemptEnded(failed(failureOf(error, bench)));
}

export async function releaseContext(place: LoadContext): Promise<void> {
  // A hung browser fails the next attempt, which ends it.
  await withDeadline(place.leave(), LIMITS.browserAnswerMs, () => {});
}

/** TLS secrets that the browser has written since the context was opened. */
export async function keysSince({
  keyLogFile,
  keyLogFromByte,
}: Pick<LoadContext, 'keyLogFile' | 'keyLogFromByte'>): Promise<string> {
  const written = await readKeyLog(keyLogFile);
  return written?.toString('latin1', keyLogFromByte) ?? '';
}
