import type { Browser, CDPSession } from 'puppeteer-core';
import { rejectOnAbort } from '../aborted.ts';
import { DEFAULTS } from '../defaults.ts';
import type { CdpEvent } from '../har/events.ts';
import { startRecorder } from './recorder.ts';
import { startUpEnded } from './start-up.ts';
import { type PageTimings, pageTimingsExpression } from './timings.ts';

/** Codes of loads that did not come to their end. */
export type FailureCode =
  | 'timeout'
  | 'navigation-failed'
  | 'page-crashed'
  | 'browser-failed'
  | 'har-failed';

/** Why a load did not come to its end. */
export interface Failure {
  code: FailureCode;
  message: string;
}

/** What a browser did when it was sent to a page. */
export interface Visit {
  events: CdpEvent[];
  /** null when the load failed before the page could be asked. */
  timings: PageTimings | null;
  /** null when the load event fired. */
  failure: Failure | null;
}

/** Sends the browser's page to a URL and watches until the load event and a quiet network. */
export async function visit(
  browser: Browser,
  url: string,
  timeoutS: number,
  signal?: AbortSignal,
): Promise<Visit> {
  const target = await browser.waitForTarget((each) => each.type() === 'page');
  const session = await target.createCDPSession();
  const recorder = await startRecorder(session);
  const pid = browser.process()?.pid;
  if (pid !== undefined) await startUpEnded(pid);
  const failure = await firstOf([
    untilLoadEvent(session, url),
    untilFailure(browser, session),
    timeout(timeoutS),
    rejectOnAbort(signal),
  ]);
  if (failure?.code === 'page-crashed' || failure?.code === 'browser-failed') {
    return { events: recorder.events, timings: null, failure };
  }
  if (failure === null) await recorder.quiet(DEFAULTS.quietMs, DEFAULTS.quietLimitMs);
  const timings = await readTimings(session);
  return { events: recorder.events, timings, failure };
}

type Ending = Promise<Failure | null>;

async function firstOf(endings: Ending[]): Ending {
  return Promise.race(endings);
}

async function untilLoadEvent(session: CDPSession, url: string): Ending {
  // The empty page that the browser starts with may still fire a load event of its own.
  let navigated = false;
  session.on('Network.requestWillBeSent', ({ type }) => {
    navigated ||= type === 'Document';
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

function timeout(timeoutS: number): Ending {
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
