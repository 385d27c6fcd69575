import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Target } from 'puppeteer-core';
import type { HandshakeCounts } from '../../records/connection.ts';
import type { VisitKind } from '../../records/page-load.ts';
import { rejectOnAbort } from '../aborted.ts';
import { DEFAULTS } from '../defaults.ts';
import type { CdpEvent } from '../har/events.ts';
import { netLogNowMs } from '../net-log/clock.ts';
import { makeEarlierLoad } from './earlier-load.ts';
import { handshakesBetween, NO_HANDSHAKES, readHandshakeCounts } from './handshake-counts.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { startUpEnded } from './start-up.ts';
import { type PageTimings, pageTimingsExpression } from './timings.ts';

/** Codes of loads that did not come to their end. */
export type FailureCode =
  | 'timeout'
  | 'navigation-failed'
  | 'page-crashed'
  | 'browser-failed'
  | 'earlier-load-failed'
  | 'har-failed';

/** Why a load did not come to its end. */
export interface Failure {
  code: FailureCode;
  message: string;
}

/** Where a browser is sent to, and how. */
export interface VisitOptions {
  url: string;
  kind: VisitKind;
  /** The hosts of the site. */
  hosts: readonly string[];
  timeoutS: number;
  /** JavaScript to run in every document before the page's own; null: none. */
  script: string | null;
  /** Where to load; absent: the browser's only tab. */
  tab?: Target;
  /** Whether what a HAR is made of is kept; without it, what looking costs can be measured. */
  capture: boolean;
  /** Called when the browser has started up, before anything is loaded. */
  onReady?: () => Promise<void> | void;
  /** Called right before the navigation that is measured: the last moment to look at the machine. */
  onNavigation: () => Promise<void> | void;
  /** Called when the load is over and before Chromium is asked anything else: the first moment to look again. */
  onQuiet?: () => Promise<void> | void;
  signal?: AbortSignal;
}

/** What a browser did when it was sent to a page. */
export interface Visit {
  /** Of the measured load alone. */
  events: CdpEvent[];
  /** null when the load failed before the page could be asked. */
  timings: PageTimings | null;
  /** null when the load event fired. */
  failure: Failure | null;
  /** Made in the measured load; null: Chromium did not tell. */
  handshakes: HandshakeCounts | null;
  /** When the measured navigation began, by the clock of Chromium's NetLog; null: it never did. */
  navigatedAtMs: number | null;
  stepsMs: {
    prepare: number;
    earlierLoad: number;
    load: number;
    settle: number;
    handshakes: number;
  };
}

/** Sends the browser's page to a URL and watches until the load event and a quiet network. */
export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { url, kind, timeoutS, script, capture, onReady, onNavigation, onQuiet, signal } = options;
  const stepsMs = { prepare: 0, earlierLoad: 0, load: 0, settle: 0, handshakes: 0 };
  const nothing = { timings: null, handshakes: null };
  let before: HandshakeCounts | null = NO_HANDSHAKES;
  const step = stopwatch();
  let session = await sessionOf(
    options.tab ?? (await browser.waitForTarget((target) => target.type() === 'page')),
  );
  const pid = browser.process()?.pid;
  if (pid !== undefined) await startUpEnded(pid);
  await onReady?.();
  stepsMs.prepare = step();
  if (kind !== 'cold') {
    const earlier = await makeEarlierLoad(browser, session, options);
    stepsMs.earlierLoad = step();
    if ('code' in earlier) {
      return { ...nothing, events: [], failure: earlier, navigatedAtMs: null, stepsMs };
    }
    session = await sessionOf(earlier.tab);
    before = earlier.handshakes;
  }
  const recorder = capture ? await startRecorder(session, script) : NO_RECORDER;
  await onNavigation();
  stepsMs.prepare += step();
  const navigatedAtMs = netLogNowMs();
  const failure = await Promise.race([
    untilLoadEvent(session, url),
    untilFailure(browser, session),
    timeout(timeoutS),
    rejectOnAbort(signal),
  ]);
  stepsMs.load = step();
  const { events } = recorder;
  if (failure?.code === 'page-crashed' || failure?.code === 'browser-failed') {
    return { ...nothing, events, failure, navigatedAtMs, stepsMs };
  }
  if (failure === null) await recorder.quiet(DEFAULTS.quietMs, DEFAULTS.quietLimitMs);
  const timings = await readTimings(session);
  stepsMs.settle = step();
  await onQuiet?.();
  step();
  const after = capture
    ? await readHandshakeCounts(browser, session, before ?? NO_HANDSHAKES)
    : null;
  stepsMs.handshakes = step();
  const handshakes = handshakesBetween(before, after);
  return { events, timings, handshakes, failure, navigatedAtMs, stepsMs };
}

/** A session of a tab, with the events of its page on. */
async function sessionOf(tab: Target): Promise<CDPSession> {
  const session = await tab.createCDPSession();
  await session.send('Page.enable');
  return session;
}

/** Keeps nothing and waits for nothing but the time given. */
const NO_RECORDER: Recorder = {
  events: [],
  quiet: (quietMs) => sleep(quietMs),
};

/** Gives the ms since it was last asked, or since it was made. */
export function stopwatch(): () => number {
  let lastMs = performance.now();
  return () => {
    const beforeMs = lastMs;
    lastMs = performance.now();
    return lastMs - beforeMs;
  };
}

type Ending = Promise<Failure | null>;

/** Sends a page to a URL; resolves with null at its load event. */
export async function untilLoadEvent(session: CDPSession, url: string): Ending {
  // The page that the browser is at may still fire a load event of its own.
  let navigated = false;
  session.on('Page.frameNavigated', ({ frame }) => {
    navigated ||= frame.parentId === undefined && frame.url !== 'about:blank';
  });
  const loaded = new Promise<null>((resolve) => {
    session.on('Page.loadEventFired', () => navigated && resolve(null));
  });
  const { errorText } = await session.send('Page.navigate', { url });
  if (errorText) return { code: 'navigation-failed', message: `Chromium: ${errorText} at ${url}` };
  return loaded;
}

async function untilFailure(browser: Browser, session: CDPSession): Ending {
  const { promise, resolve } = Promise.withResolvers<Failure>();
  session.on('Inspector.targetCrashed', () =>
    resolve({ code: 'page-crashed', message: 'The page crashed in Chromium.' }),
  );
  browser.once('disconnected', () =>
    resolve({ code: 'browser-failed', message: 'Chromium ended during the load.' }),
  );
  await session.send('Inspector.enable');
  return promise;
}

/** Resolves with a failure after so many seconds. */
export function timeout(timeoutS: number): Ending {
  const message = `The page fired no load event within ${timeoutS} s.`;
  return new Promise((resolve) => {
    setTimeout(() => resolve({ code: 'timeout', message }), timeoutS * 1000).unref();
  });
}

const READ_TIMINGS_LIMIT_MS = 2000;

/** Asks the page for its timings; a page that is stuck in a script of its own does not answer: null. */
async function readTimings(session: CDPSession): Promise<PageTimings | null> {
  const answer = session
    .send('Runtime.evaluate', {
      expression: pageTimingsExpression,
      awaitPromise: true,
      returnByValue: true,
    })
    .then(
      ({ result }) => (result.value as PageTimings | undefined) ?? null,
      () => null,
    );
  const limit = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), READ_TIMINGS_LIMIT_MS).unref();
  });
  return Promise.race([answer, limit]);
}
