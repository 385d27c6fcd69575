import { stat } from 'node:fs/promises';
import { withDeadline } from '../../ground/system/deadline.ts';
import { BrowserHungError } from '../browser-hung.ts';
import { LIMITS } from '../browser-limits.ts';
import type { PageContext } from '../page-context.ts';
import { makeEarlierLoad } from './earlier-load.ts';
import type { RunningFirefox } from './firefox.ts';
import { FORGET } from './forget.ts';
import { type FirefoxPage, watchTab } from './tab.ts';
import { type FirefoxContext, internalIdOf, openTab } from './user-context.ts';

/**
 * Opens an empty tab in a user context of its own.
 * @param end ends the load's browser; absent: the browser is kept
 * @throws Error if Firefox opens none; ends a browser that is not kept
 */
export async function openContext(
  running: RunningFirefox,
  end?: () => Promise<void>,
): Promise<PageContext> {
  const { session, privileged, keyLogFile, pid } = running;
  try {
    const late = () => {
      throw new BrowserHungError('a tab', LIMITS.browserAnswerMs);
    };
    const of = await withDeadline(openUserContext(running), LIMITS.browserAnswerMs, late);
    const { userContext } = of;
    const written = await stat(keyLogFile).catch(() => null);
    const watched: FirefoxPage[] = [];
    return contextOf(of, watched, {
      about: running.aboutNextLoad(),
      browserPid: pid,
      keyLogFile,
      keyLogFromByte: written?.size ?? 0,
      async leave() {
        if (end) return end();
        // Firefox does not answer this while the page is stuck, until its tab is closed.
        const stopped = Promise.all(watched.map((page) => page.stop()));
        // Contexts end with their browser.
        await session.send('browser.removeUserContext', { userContext }).catch(() => {});
        await stopped;
        await privileged(FORGET).catch(() => {});
      },
    });
  } catch (error) {
    await end?.();
    throw error;
  }
}

async function openUserContext({
  session,
  privileged,
  broken,
}: RunningFirefox): Promise<FirefoxContext> {
  const { userContext } = await session.send<{ userContext: string }>('browser.createUserContext');
  const { context } = await openTab(session, userContext);
  const userContextId = await privileged<number>(internalIdOf(userContext));
  return { session, privileged, broken, context, userContext, userContextId };
}

/** @param watched gets the tabs that are watched, which stop when the context is left */
function contextOf(
  of: FirefoxContext,
  watched: FirefoxPage[],
  own: Omit<PageContext, 'watch' | 'loadEarlier'>,
): PageContext {
  return {
    ...own,
    async watch(options) {
      const page = await watchTab(of, options);
      watched.push(page);
      return page;
    },
    async loadEarlier(visit) {
      const earlier = await makeEarlierLoad(of, visit);
      if ('code' in earlier) return earlier;
      const { context, record, returnProtocols } = earlier;
      return { at: contextOf({ ...of, context }, watched, own), record, returnProtocols };
    },
  };
}
