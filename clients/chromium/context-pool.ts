import { stat } from 'node:fs/promises';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { Isolation } from '../../ground/records/run.ts';
import { LIMITS } from '../browser-limits.ts';
import { keptBrowsers } from '../kept-browsers.ts';
import { isForced } from '../visit-kind.ts';
import type { ContextPool, LoadContext } from './load-context.ts';
import {
  type BrowserSettings,
  type PageServer,
  type RunningBrowser,
  runBrowser,
} from './running-browser.ts';
import { firstTab, openTab } from './tab.ts';

/** Load contexts for one site from any of its servers. */
export function contextPoolFor(
  isolation: Isolation,
  servers: readonly PageServer[],
  settings: BrowserSettings,
): ContextPool {
  return isolation === 'process'
    ? freshBrowserPool(servers, settings)
    : sharedBrowserPool(servers, settings);
}

/** A new browser for each load: a first visit after starting the browser. */
function freshBrowserPool(servers: readonly PageServer[], settings: BrowserSettings): ContextPool {
  return {
    isWorn: false,
    async open(stack, visit) {
      const server = servers.find((each) => each.stack.stack === stack);
      if (!server) throw new Error(`no server for ${stack}`);
      const forcesQuic = isForced(server.stack, visit);
      const running = await runBrowser(server, { ...settings, forcesQuic });
      try {
        const tab = await firstTab(running.root, settings.device);
        return await openContextIn(running, { tab, leave: running.close });
      } catch (error) {
        await running.close();
        throw error;
      }
    },
    close: async () => {},
  };
}

/**
 * One browser for each server, kept for many loads. Each load has its own browser context, which ends with its sockets, QUIC
 * sessions, tickets, caches, cookies and renderer: a first visit with a running browser. The browsers of all servers start
 * together, so that they age alike. Browsers that force QUIC are separate, and start together on their first use.
 */
function sharedBrowserPool(servers: readonly PageServer[], settings: BrowserSettings): ContextPool {
  const usual = keptBrowsers(servers, (server) => runBrowser(server, settings));
  const forced = keptBrowsers(
    servers.filter(({ stack }) => offersBoth(stack.protocol)),
    (server) => runBrowser(server, { ...settings, forcesQuic: true }),
  );
  let maxLoads = 0;
  return {
    get isWorn() {
      return maxLoads >= LIMITS.loadsPerBrowser;
    },
    async open(stack, visit) {
      const server = servers.find((each) => each.stack.stack === stack);
      const browsers = await (server && isForced(server.stack, visit) ? forced : usual).started();
      const running = browsers.get(stack);
      if (!running) throw new Error(`no browser for ${stack}`);
      const { root } = running;
      const { browserContextId } = await root.send('Target.createBrowserContext');
      const tab = await openTab(root, browserContextId, settings.device);
      const leave = async () => {
        // Contexts end with their browser.
        await root.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
      };
      const context = await openContextIn(running, { tab, browserContextId, leave });
      maxLoads = Math.max(maxLoads, context.about.attemptsBefore + 1);
      return context;
    },
    async close() {
      maxLoads = 0;
      await Promise.all([usual.close(), forced.close()]);
    },
  };
}

export async function openContextIn(
  { root, pid, keyLogFile, broken, aboutNextLoad }: RunningBrowser,
  own: Pick<LoadContext, 'tab' | 'browserContextId' | 'leave'>,
): Promise<LoadContext> {
  const written = await stat(keyLogFile).catch(() => null);
  return {
    ...own,
    root,
    keyLogFile,
    keyLogFromByte: written?.size ?? 0,
    broken,
    browserPid: pid,
    about: aboutNextLoad(),
  };
}
