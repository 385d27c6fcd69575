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

/** Opens an empty tab of a desktop's size. */
export async function openTab(
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
