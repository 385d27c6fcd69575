import { offersBoth } from '../../ground/records/protocol.ts';
import type { Isolation } from '../../ground/records/run.ts';
import { LIMITS } from '../browser-limits.ts';
import { keptBrowsers } from '../kept-browsers.ts';
import type { PagePool } from '../page-context.ts';
import { isForced } from '../visit-kind.ts';
import { openContext } from './context.ts';
import { type FirefoxServer, type FirefoxSettings, runFirefox } from './firefox.ts';

/**
 * Pages in Firefox, from any of a site's servers. Each load has its own user context with its own connections, tickets, caches and
 * cookies, in a Firefox that is kept for many loads, or in a new one.
 */
export function firefoxPages(
  isolation: Isolation,
  servers: readonly FirefoxServer[],
  settings: FirefoxSettings,
): PagePool {
  const usual = keptBrowsers(servers, (server) => runFirefox(server, settings));
  const forced = keptBrowsers(
    servers.filter(({ stack }) => offersBoth(stack.protocol)),
    (server) => runFirefox(server, settings, true),
  );
  let maxLoads = 0;
  return {
    get isWorn() {
      return maxLoads >= LIMITS.loadsPerBrowser;
    },
    async open(stack, visit) {
      const server = servers.find((each) => each.stack.stack === stack);
      if (!server) throw new Error(`no server for ${stack}`);
      const forces = isForced(server.stack, visit);
      if (isolation === 'process') {
        const running = await runFirefox(server, settings, forces);
        return openContext(running, running.close);
      }
      const running = (await (forces ? forced : usual).started()).get(stack);
      if (!running) throw new Error(`no browser for ${stack}`);
      const context = await openContext(running);
      maxLoads = Math.max(maxLoads, context.about.attemptsBefore + 1);
      return context;
    },
    async close() {
      maxLoads = 0;
      await Promise.all([usual.close(), forced.close()]);
    },
  };
}
