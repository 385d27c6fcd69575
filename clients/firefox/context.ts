import { stat } from 'node:fs/promises';
import type { PageContext } from '../page-context.ts';
import { makeEarlierLoad } from './earlier-load.ts';
import type { RunningFirefox } from './firefox.ts';
import { FORGET } from './forget.ts';
import { watchTab } from './tab.ts';
import { type FirefoxContext, openTab } from './user-context.ts';

/**
 * Opens an empty tab in a user context of its own.
 * @param end ends the load's browser; absent: the browser is kept
 * @throws Error if Firefox opens none; ends a browser that is not kept
 */
export async function openContext(
  running: RunningFirefox,
  end?: () => Promise<void>,
): Promise<PageContext> {
  const { session, privileged, broken, keyLogFile, pid } = running;
  try {
    const { userContext } = await session.send<{ userContext: string }>(
      'browser.createUserContext',
    );
    const { context } = await openTab(session, userContext);
    const written = await stat(keyLogFile).catch(() => null);
    const of = {
      session,
      privileged,
      broken,
      context,
      userContext,
      userContextId: await privileged<number>('gBrowser.tabs.at(-1).userContextId'),
    };
    return contextOf(of, {
      about: running.aboutNextLoad(),
      browserPid: pid,
      keyLogFile,
      keyLogFromByte: written?.size ?? 0,
      async leave() {
        if (end) return end();
        // Contexts end with their browser.
        await session.send('browser.removeUserContext', { userContext }).catch(() => {});
        await privileged(FORGET).catch(() => {});
      },
    });
  } catch (error) {
    await end?.();
    throw error;
  }
}

function contextOf(
  of: FirefoxContext,
  own: Omit<PageContext, 'watch' | 'loadEarlier'>,
): PageContext {
  return {
    ...own,
    watch: (options) => watchTab(of, options),
    async loadEarlier(visit) {
      const earlier = await makeEarlierLoad(of, visit);
      if ('code' in earlier) return earlier;
      const { context, record, returnProtocols } = earlier;
      return { at: contextOf({ ...of, context }, own), record, returnProtocols };
    },
  };
}
