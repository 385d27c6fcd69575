import { BrowserHungError } from '../clients/browser-hung.ts';
import { LIMITS } from '../clients/browser-limits.ts';
import { contextPoolFor } from '../clients/chromium/context-pool.ts';
import type { ContextPool } from '../clients/chromium/load-context.ts';
import { chromiumPages } from '../clients/chromium/pages.ts';
import type { BrowserSettings } from '../clients/chromium/running-browser.ts';
import { firefoxPages } from '../clients/firefox/pages.ts';
import type { Failure } from '../clients/load-failure.ts';
import type { PageContext, PagePool } from '../clients/page-context.ts';
import { readKeyLog } from '../clients/profile-files.ts';
import { browserKind } from '../ground/browser-kind.ts';
import { splitBrowser } from '../ground/stack.ts';
import { withDeadline } from '../ground/system/deadline.ts';
import { MachineError, NameServerError, NetworkError } from '../ground/system/errors.ts';
import { AttemptEnded, failed } from './checks.ts';
import type { Bench } from './measuring.ts';

/** The parts of a bench that attempts in open browsers use. */
export type BrowserBench = Omit<Bench, 'programs' | 'enter' | 'blockOf' | 'recordedAttempts'>;

/** Contexts in Chromium. */
export function benchContextPool(bench: Bench): ContextPool {
  return contextPoolFor(bench.choices.isolation, chromiumServers(bench), chromiumSettings(bench));
}

/** Pages in the browser of each arm. */
export function benchPages(bench: Bench): PagePool {
  const { enter, signal, choices } = bench;
  const kinds = Map.groupBy(bench.servers, ({ stack }) => browserKind(stack.browser));
  const firefoxServers = (kinds.get('firefox') ?? []).map((server) => ({
    ...server,
    firefox: programOf(server.stack.browser, bench),
  }));
  const inChromium = chromiumPages(
    choices.isolation,
    chromiumServers(bench),
    chromiumSettings(bench),
  );
  const inFirefox = firefoxPages(choices.isolation, firefoxServers, {
    enter,
    tlsMost: choices.tlsMost,
    ...(signal && { signal }),
  });
  return {
    get isWorn() {
      return inChromium.isWorn || inFirefox.isWorn;
    },
    open: (arm, visit) =>
      (browserKind(splitBrowser(arm)[1] ?? undefined) === 'firefox' ? inFirefox : inChromium).open(
        arm,
        visit,
      ),
    async close() {
      await Promise.all([inChromium.close(), inFirefox.close()]);
    },
  };
}

function chromiumServers(bench: Bench) {
  return bench.servers.flatMap((server) => {
    const { browser } = server.stack;
    if (browserKind(browser) !== 'chromium') return [];
    return browser === undefined ? [server] : [{ ...server, chromium: programOf(browser, bench) }];
  });
}

function chromiumSettings(bench: Bench): BrowserSettings {
  const { tlsMost, device, netLogs = false } = bench.choices;
  const { programs, enter, results, warn, signal } = bench;
  const keepNetLog = (id: string, netLogFile: string) =>
    results.keepNetLog(id, netLogFile).catch((error: Error) => {
      warn(`The NetLog of ${id} could not be kept: ${error.message}`);
    });
  return {
    chromium: programs.chromium,
    enter,
    tlsMost,
    ...(device && { device }),
    ...(netLogs && { keepNetLog }),
    signal,
  };
}

function programOf(browser: string | undefined, { programs }: Pick<Bench, 'programs'>): string {
  const program = browser === undefined ? undefined : programs.browsers?.[browser];
  if (program === undefined) throw new Error(`no binary of the browser ${browser}`);
  return program;
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
  return { code: 'browser-failed', message: `The browser failed: ${error.message}` };
}

export function browserFailure(error: Error, bench: Pick<Bench, 'signal'>): AttemptEnded {
  return new AttemptEnded(failed(failureOf(error, bench)));
}

export async function releaseContext(context: Pick<PageContext, 'leave'>): Promise<void> {
  // A hung browser fails the next attempt, which ends it.
  await withDeadline(context.leave(), LIMITS.browserAnswerMs, () => {});
}

/** TLS secrets that the browser has written since the context was opened. */
export async function keysSince({
  keyLogFile,
  keyLogFromByte,
}: Pick<PageContext, 'keyLogFile' | 'keyLogFromByte'>): Promise<string> {
  const written = await readKeyLog(keyLogFile);
  return written?.toString('latin1', keyLogFromByte) ?? '';
}
