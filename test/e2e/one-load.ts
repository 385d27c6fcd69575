import { contextPoolFor } from '../../clients/chromium/context-pool.ts';
import { makeEarlierLoad } from '../../clients/chromium/earlier-load.ts';
import type { LoadContext } from '../../clients/chromium/load-context.ts';
import { netLogFileIn, withProfile } from '../../clients/chromium/profile.ts';
import type { BrowserSettings } from '../../clients/chromium/running-browser.ts';
import { firstTab, rootSession } from '../../clients/chromium/tab.ts';
import { load, settle, type Visit, watchTab } from '../../clients/chromium/visit.ts';
import type { VisitKind } from '../../clients/visit-kind.ts';
import type { Server } from '../../runner/servers.ts';
import { netLogNowMs } from '../net-log/clock.ts';
import { withBrowser } from './with-browser.ts';

/** Loads a page from a server in a separate browser, without checks. */
export async function loadOnce(
  server: Server,
  url: string,
  settings: BrowserSettings,
): Promise<Visit> {
  const context = await contextPoolFor('process', [server], settings).open(server.stack.stack);
  try {
    return await loadIn(context, url);
  } finally {
    await context.leave();
  }
}

async function loadIn(context: LoadContext, url: string): Promise<Visit> {
  const options = { url, isReload: false, timeoutS: 30, script: null, capture: true };
  return settle(context, await load(context, await watchTab(context, options), options));
}

/** A load that Chromium logged: its NetLog and its keys stay in the profile while they are read. */
export interface LoggedLoad extends Visit {
  navigatedAtMs: number;
  netLogFile: string;
  keyLogFile: string;
}

/**
 * Loads a page while Chromium logs its network stack, and passes on the log, which is whole only
 * after the browser has ended.
 * @param begin called right before the load that counts
 */
export function withLoggedLoad<T>(
  { stack, origins, spkiPins }: Server,
  visit: { url: string; hosts: readonly string[]; kind: VisitKind },
  settings: BrowserSettings,
  begin: () => Promise<void>,
  use: (logged: LoggedLoad) => Promise<T>,
): Promise<T> {
  return withProfile(async (profileFolder) => {
    const netLogFile = netLogFileIn(profileFolder);
    const keyLogFile = `${profileFolder}/keys`;
    const options = { ...settings, origins, spkiPins, profileFolder, netLogFile, keyLogFile };
    const made = await withBrowser({ ...options, protocol: stack.protocol }, async (browser) => {
      const root = await rootSession(browser);
      const context: LoadContext = {
        root,
        keyLogFile,
        keyLogFromByte: 0,
        tab: await firstTab(root),
        browserPid: browser.process()?.pid ?? 0,
        about: { id: 'logged', attemptsBefore: 0, ageMs: 0 },
        broken: new Promise(() => {}),
        leave: async () => {},
      };
      if (visit.kind !== 'cold') {
        const earlier = await makeEarlierLoad(context, {
          ...visit,
          timeoutS: 30,
          script: null,
          applyMeasuredNetwork: async () => {},
        });
        if ('code' in earlier) throw new Error(earlier.message);
        context.tab = earlier.tab;
      }
      await begin();
      const navigatedAtMs = netLogNowMs();
      return { ...(await loadIn(context, visit.url)), navigatedAtMs };
    });
    return use({ ...made, netLogFile, keyLogFile });
  });
}
