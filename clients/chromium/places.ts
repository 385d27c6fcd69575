import type { Isolation } from '../../records/run.ts';
import { LIMITS } from './limits.ts';
import type { Place, Places } from './place.ts';
import {
  type BrowserSettings,
  type RunningBrowser,
  runBrowser,
  type Served,
} from './running-browser.ts';
import { firstTab, openTab } from './tab.ts';

/** Places for loads of one site, from any of its servers. */
export function placesFor(
  isolation: Isolation,
  servers: readonly Served[],
  settings: BrowserSettings,
): Places {
  return isolation === 'process'
    ? new OwnBrowsers(servers, settings)
    : new KeptBrowsers(servers, settings);
}

/** A browser of its own for every load: what a person's first visit after starting the browser is. */
class OwnBrowsers implements Places {
  readonly #servers: readonly Served[];
  readonly #settings: BrowserSettings;
  readonly isWorn = false;

  constructor(servers: readonly Served[], settings: BrowserSettings) {
    this.#servers = servers;
    this.#settings = settings;
  }

  async open(stack: string): Promise<Place> {
    const server = this.#servers.find((each) => each.stack.stack === stack);
    if (!server) throw new Error(`no server for ${stack}`);
    const running = await runBrowser(server, this.#settings);
    try {
      const tab = await firstTab(running.root);
      return placeIn(running, { tab, leave: running.close });
    } catch (error) {
      await running.close();
      throw error;
    }
  }

  async close(): Promise<void> {}
}

/**
 * One browser for each server, kept for many loads, each of which has a browser context of its own: sockets, QUIC sessions,
 * tickets, caches, cookies and renderer go with it. It is a first visit by a browser that is running. The browsers of all servers
 * start together, so that they age alike.
 */
class KeptBrowsers implements Places {
  readonly #servers: readonly Served[];
  readonly #settings: BrowserSettings;
  #starting: Promise<Map<string, RunningBrowser>> | null = null;
  #mostLoads = 0;

  constructor(servers: readonly Served[], settings: BrowserSettings) {
    this.#servers = servers;
    this.#settings = settings;
  }

  get isWorn(): boolean {
    return this.#mostLoads >= LIMITS.loadsPerBrowser;
  }

  async open(stack: string): Promise<Place> {
    this.#starting ??= this.#startAll();
    const running = (await this.#starting).get(stack);
    if (!running) throw new Error(`no browser for ${stack}`);
    const { root } = running;
    const { browserContextId } = await root.send('Target.createBrowserContext');
    const tab = await openTab(root, browserContextId);
    const leave = async () => {
      // A browser that is gone has left all its contexts.
      await root.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
    };
    const place = placeIn(running, { tab, browserContextId, leave });
    this.#mostLoads = Math.max(this.#mostLoads, place.about.attemptsBefore + 1);
    return place;
  }

  async close(): Promise<void> {
    const starting = this.#starting;
    this.#starting = null;
    this.#mostLoads = 0;
    const running = await starting?.catch(() => new Map<string, RunningBrowser>());
    await Promise.all([...(running?.values() ?? [])].map((each) => each.close()));
  }

  async #startAll(): Promise<Map<string, RunningBrowser>> {
    const starts = await Promise.allSettled(
      this.#servers.map((server) => runBrowser(server, this.#settings)),
    );
    const failure = starts.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') {
      await Promise.all(starts.map((each) => each.status === 'fulfilled' && each.value.close()));
      throw failure.reason;
    }
    const running = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    return new Map(running.map((each, index) => [this.#servers[index]?.stack.stack ?? '', each]));
  }
}

function placeIn(
  running: RunningBrowser,
  own: Pick<Place, 'tab' | 'browserContextId' | 'leave'>,
): Place {
  const { root, pid, keyLogFile, broken } = running;
  return {
    ...own,
    root,
    keyLogFile,
    broken,
    browserPid: pid,
    about: running.aboutNextLoad(),
  };
}
