import type { CDPSession } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { type Failure, timeout } from '../load-failure.ts';
import type { LoadContext } from './load-context.ts';

/** How a load ends; null: with its load event. */
export type Ending = Promise<Failure | null>;

/** Navigates a page to a URL; resolves with null at its load event. */
export async function untilLoadEvent(session: CDPSession, url: string): Ending {
  const loaded = nextLoadEvent(session);
  const { errorText } = await session.send('Page.navigate', { url });
  if (errorText) return { code: 'navigation-failed', message: `Chromium: ${errorText} at ${url}` };
  return loaded;
}

/** Reloads the page like F5; resolves with null at its load event. */
export async function untilReloaded(session: CDPSession): Ending {
  const failed = new Promise<Failure>((resolve) => {
    session.on('Page.frameNavigated', ({ frame }) => {
      // Chromium's error page replaced the page, and will fire a load event too.
      const { parentId, unreachableUrl: url } = frame;
      if (parentId !== undefined || url === undefined) return;
      resolve({ code: 'navigation-failed', message: `Chromium could not reload ${url}.` });
    });
  });
  const loaded = nextLoadEvent(session);
  await session.send('Page.reload');
  return Promise.race([failed, loaded]);
}

/** The next document's load event; the current page may still fire its own. */
export function nextLoadEvent(session: CDPSession): Promise<null> {
  let navigated = false;
  session.on('Page.frameNavigated', ({ frame }) => {
    navigated ||= frame.parentId === undefined && frame.url !== 'about:blank';
  });
  return new Promise((resolve) => {
    session.on('Page.loadEventFired', () => navigated && resolve(null));
  });
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

/** How a started load ends: by itself, by a crash, or by the timeout. */
export async function endingOf(
  load: Ending,
  { tab: { session }, broken }: Pick<LoadContext, 'tab' | 'broken'>,
  timeoutS: number,
): Ending {
  // If the browser has ended, `broken` reports it.
  const crashed = untilCrash(session).catch(() => broken);
  return withDeadline(Promise.race([load, crashed, broken]), timeoutS * 1000, () =>
    timeout(timeoutS),
  );
}
