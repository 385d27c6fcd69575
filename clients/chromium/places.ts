import { stat } from 'node:fs/promises';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { Isolation } from '../../ground/records/run.ts';
import { LIMITS } from './limits.ts';
import type { Place, Places } from './place.ts';
import {
  type BrowserSettings,
  type RunningBrowser,
  runBrowser,
  type Served,
} from './running-browser.ts';
import { firstTab, openTab } from './tab.ts';
import type { VisitKind } from './visit-kind.ts';

/** Places for loads of one site, from any of its servers. */
export function placesFor(
  isolation: Isolation,
  servers: readonly Served[],
  settings: BrowserSettings,
): Places {
  return isolation === 'process' ? ownBrowsers(servers, settings) : keptBrowsers(servers, settings);
}

/** A browser of its own for every load: what a person's first visit after starting the browser is. */
function ownBrowsers(servers: readonly Served[], settings: BrowserSettings): Places {
  return {
    isWorn: false,
    async open(stack, visit) {
      const server = servers.find((each) => each.stack.stack === stack);
      if (!server) throw new Error(`no server for ${stack}`);
      const forcesQuic = isForced(server, visit);
      const running = await runBrowser(server, { ...settings, forcesQuic });
      try {
        const tab = await firstTab(running.root);
        return await placeIn(running, { tab, leave: running.close });
      } catch (error) {
        await running.close();
        throw error;
      }
    },
    close: async () => {},
  };
}

/**
 * One browser for each server, kept for many loads, each of which has a browser context of its own: sockets, QUIC sessions,
 * tickets, caches, cookies and renderer go with it. It is a first visit by a browser that is running. The browsers of all servers
 * start together, so that they age alike; those that force QUIC are others, and do so when the first of them is wanted.
 */
function keptBrowsers(servers: readonly Served[], settings: BrowserSettings): Places {
  const usual = browsersOf(servers, settings);
  const forced = browsersOf(servers.filter(speaksBoth), { ...settings, forcesQuic: true });
  let mostLoads = 0;
  return {
    get isWorn() {
      return mostLoads >= LIMITS.loadsPerBrowser;
    },
    async open(stack, visit) {
      const server = servers.find((each) => each.stack.stack === stack);
      const browsers = await (server && isForced(server, visit) ? forced : usual).started();
      const running = browsers.get(stack);
      if (!running) throw new Error(`no browser for ${stack}`);
      const { root } = running;
      const { browserContextId } = await root.send('Target.createBrowserContext');
      const tab = await openTab(root, browserContextId);
      const leave = async () => {
        // A browser that is gone has left all its contexts.
        await root.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
      };
      const place = await placeIn(running, { tab, browserContextId, leave });
      mostLoads = Math.max(mostLoads, place.about.attemptsBefore + 1);
      return place;
    },
    async close() {
      mostLoads = 0;
      await Promise.all([usual.close(), forced.close()]);
    },
  };
}

/** Whether a visit needs a browser that forces QUIC: a server of one protocol speaks nothing else by itself. */
export function isForced(server: Served, visit: VisitKind | undefined): boolean {
  return visit === 'forced' && speaksBoth(server);
}

function speaksBoth({ stack }: Served): boolean {
  return offersBoth(stack.protocol);
}

/** One browser for each server, all started when they are wanted. */
function browsersOf(servers: readonly Served[], settings: Parameters<typeof runBrowser>[1]) {
  let starting: Promise<Map<string, RunningBrowser>> | null = null;
  return {
    started() {
      starting ??= startAll(servers, settings);
      return starting;
    },
    async close() {
      const started = starting;
      starting = null;
      const running = await started?.catch(() => new Map<string, RunningBrowser>());
      await Promise.all([...(running?.values() ?? [])].map((each) => each.close()));
    },
  };
}

/** @throws Error of the first that did not start; the others are closed then. */
async function startAll(
  servers: readonly Served[],
  settings: Parameters<typeof runBrowser>[1],
): Promise<Map<string, RunningBrowser>> {
  const starting = servers.map(
    async (server) => [server.stack.stack, await runBrowser(server, settings)] as const,
  );
  const starts = await Promise.allSettled(starting);
  const running = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (running.length < starts.length) await Promise.all(running.map(([, each]) => each.close()));
  return new Map(await Promise.all(starting));
}

/** A place in a running browser, for its next load. */
export async function placeIn(
  { root, pid, keyLogFile, broken, aboutNextLoad }: RunningBrowser,
  own: Pick<Place, 'tab' | 'browserContextId' | 'leave'>,
): Promise<Place> {
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
