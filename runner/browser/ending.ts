import type { CDPSession } from 'puppeteer-core';

/** Codes of loads that did not come to their end. */
export type FailureCode =
  | 'timeout'
  | 'navigation-failed'
  | 'page-crashed'
  | 'browser-failed'
  | 'network-failed'
  | 'earlier-load-failed'
  | 'har-failed';

/** Why a load did not come to its end. */
export interface Failure {
  code: FailureCode;
  message: string;
}

/** How a load ends: null is at its load event. */
export type Ending = Promise<Failure | null>;

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

/** Resolves with a failure when the page's process crashes. */
export async function untilCrash(session: CDPSession): Promise<Failure> {
  const { promise, resolve } = Promise.withResolvers<Failure>();
  session.on('Inspector.targetCrashed', () =>
    resolve({ code: 'page-crashed', message: 'The page crashed in Chromium.' }),
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
