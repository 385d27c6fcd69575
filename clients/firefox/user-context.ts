import { DESKTOP } from '../../ground/records/device.ts';
import type { RunningFirefox } from './firefox.ts';

/** A user context of Firefox with a tab. */
export interface FirefoxContext extends Pick<RunningFirefox, 'session' | 'privileged' | 'broken'> {
  /** Of the tab. */
  context: string;
  userContext: string;
  /** Firefox's own number of the user context. */
  userContextId: number;
}

/** JavaScript that returns Firefox's own number of a user context. */
export function internalIdOf(userContext: string): string {
  return `ChromeUtils.importESModule('chrome://remote/content/shared/UserContextManager.sys.mjs')
    .UserContextManager.getInternalIdById(${JSON.stringify(userContext)})`;
}

/**
 * Opens an empty tab of a desktop's size. On a busy machine Firefox may replace what a new tab shows before the tab is ready, and then
 * fails the command: the tab is opened again, and the first one ends with its user context.
 */
export async function openTab(
  session: FirefoxContext['session'],
  userContext: string,
): Promise<{ context: string }> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToOpenTab(session, userContext);
    } catch (error) {
      const isReplaced = (error as Error).message.startsWith('no such frame');
      if (!isReplaced || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const MOST_ATTEMPTS = 3;

async function tryToOpenTab(
  session: FirefoxContext['session'],
  userContext: string,
): Promise<{ context: string }> {
  const { context } = await session.send<{ context: string }>('browsingContext.create', {
    type: 'tab',
    userContext,
  });
  const viewport = { width: DESKTOP.widthPx, height: DESKTOP.heightPx };
  await session.send('browsingContext.setViewport', { context, viewport });
  return { context };
}
