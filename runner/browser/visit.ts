import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Protocol, Target } from 'puppeteer-core';
import type { HandshakeCounts } from '../../records/connection.ts';
import type { VisitKind } from '../../records/page-load.ts';
import { DEFAULTS } from '../defaults.ts';
import type { CdpEvent } from '../har/events.ts';
import { netLogNowMs } from '../net-log/clock.ts';
import { stopwatch } from '../stopwatch.ts';
import { within } from '../within.ts';
import { makeEarlierLoad } from './earlier-load.ts';
import { type Failure, timeout, untilFailure, untilLoadEvent, untilReloaded } from './ending.ts';
import { handshakesBetween, NO_HANDSHAKES, readHandshakeCounts } from './handshake-counts.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { startUpEnded } from './start-up.ts';
import { type PageTimings, pageTimingsExpression } from './timings.ts';

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
  const { url, kind, timeoutS, script, capture, onReady, onNavigation, onQuiet } = options;
  const stepsMs = { prepare: 0, earlierLoad: 0, load: 0, settle: 0, handshakes: 0 };
  const nothing = { timings: null, handshakes: null };
  let before: HandshakeCounts | null = NO_HANDSHAKES;
  const step = stopwatch();
  const firstTab =
    options.tab ?? (await browser.waitForTarget((target) => target.type() === 'page'));
  let session = await sessionOf(firstTab);
  const pid = browser.process()?.pid;
  if (pid !== undefined) await startUpEnded(pid);
  await onReady?.();
  stepsMs.prepare = step();
  if (kind !== 'cold') {
    const earlier = await makeEarlierLoad(browser, { tab: firstTab, session }, options);
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
  const broken = untilFailure(browser, session);
  let failure = await Promise.race([
    kind === 'reload' ? untilReloaded(session) : untilLoadEvent(session, url),
    broken,
    timeout(timeoutS),
  ]);
  stepsMs.load = step();
  if (failure === null) await recorder.quiet(DEFAULTS.quietMs, DEFAULTS.quietLimitMs);
  const { events } = recorder;
  const timings = isOver(failure) ? null : await readTimings(session);
  if (timings === null) failure = await whyNoAnswer(failure, broken, browser);
  stepsMs.settle = step();
  if (isOver(failure)) return { ...nothing, events, failure, navigatedAtMs, stepsMs };
  await onQuiet?.();
  step();
  // Over connections that were kept there is nothing to count.
  const isNews = kind !== 'reload' || isConnected(events);
  const after = capture
    ? await readHandshakeCounts(browser, session, isNews ? (before ?? NO_HANDSHAKES) : null)
    : null;
  stepsMs.handshakes = step();
  const handshakes = handshakesBetween(before, after);
  return { events, timings, handshakes, failure, navigatedAtMs, stepsMs };
}

/** Whether the main document came over a new connection. */
function isConnected(events: readonly CdpEvent[]): boolean {
  const answer = events
    .filter(({ method }) => method === 'Network.responseReceived')
    .map(({ params }) => params as Protocol.Network.ResponseReceivedEvent)
    .find(({ type }) => type === 'Document');
  return (answer?.response.timing?.connectStart ?? -1) >= 0;
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

/** Whether there is nothing left that could be asked. */
function isOver(failure: Failure | null): boolean {
  return (
    failure !== null && ['page-crashed', 'browser-failed', 'browser-hung'].includes(failure.code)
  );
}

/** A page that does not tell its timings is stuck, or has crashed, or its whole browser hangs. */
async function whyNoAnswer(
  failure: Failure | null,
  broken: Promise<Failure | null>,
  browser: Browser,
): Promise<Failure> {
  if (failure !== null && isOver(failure)) return failure;
  const crashed = await within(broken, 0);
  if (crashed) return crashed;
  const version = await within(browser.version(), BROWSER_ANSWERS_WITHIN_MS).catch(() => null);
  if (version === null) {
    const message = `Chromium hung: it did not even tell its version within ${BROWSER_ANSWERS_WITHIN_MS / 1000} s, and was killed.`;
    return { code: 'browser-hung', message };
  }
  return (
    failure ?? {
      code: 'timeout',
      message: 'The page fired its load event, but did not tell its timings.',
    }
  );
}

const BROWSER_ANSWERS_WITHIN_MS = 5_000;

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
  return within(answer, READ_TIMINGS_LIMIT_MS);
}
