import type { Browser } from 'puppeteer-core';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { type BrowserOptions, withBrowser } from '../../runner/browser/chromium.ts';
import { withProfile } from '../../runner/browser/profile.ts';
import { visit } from '../../runner/browser/visit.ts';
import type { Path } from '../../runner/network/path.ts';
import type { Server } from '../../runner/servers.ts';

/** What is loaded, from where and with what. */
export interface Bench {
  manifest: SiteManifest;
  server: Server;
  networkPath: Path;
  chromium: string;
}

/** What a browser of the bench is started with. */
export function browserOptions(
  { server, networkPath, chromium }: Bench,
  profileFolder: string,
): Omit<BrowserOptions, 'netLogFile'> {
  return {
    ...{ profileFolder, chromium },
    enter: networkPath.agent.enter('client'),
    protocol: server.stack.protocol,
    origins: server.origins,
    spkiPins: server.spkiPins,
  };
}

/**
 * Loads the page in a browser and gives its page load time.
 * @param capture whether what a HAR is made of is kept
 * @param inContext in a fresh context of the browser, which is kept, and not in its only tab
 * @throws Error when the page did not load.
 */
export async function pageLoadMs(
  browser: Browser,
  { manifest, server }: Bench,
  { capture, inContext = false }: { capture: boolean; inContext?: boolean },
): Promise<number> {
  const context = inContext ? await browser.createBrowserContext() : null;
  const tab = (await context?.newPage())?.target();
  try {
    const { timings, failure } = await visit(browser, {
      ...{ url: manifest.url, hosts: hostsOf(manifest), kind: 'cold', timeoutS: 30 },
      ...{ script: null, capture, tab, onNavigation: () => {} },
    });
    const ms = timings?.loadEventEndMs ?? null;
    if (!failure && ms !== null) return ms;
    const what = failure?.message ?? 'no load event';
    throw new Error(`${manifest.url} by ${server.stack.stack}: ${what}`);
  } finally {
    await context?.close();
  }
}

/** Loads the page in a browser process of its own, as a run does. */
export async function pageLoadMsAlone(
  bench: Bench,
  { capture, netLog }: { capture: boolean; netLog: boolean },
): Promise<number> {
  return withProfile((profileFolder) =>
    withBrowser(
      {
        ...browserOptions(bench, profileFolder),
        netLogFile: netLog ? `${profileFolder}/net-log.json` : null,
      },
      (browser) => pageLoadMs(browser, bench, { capture }),
    ),
  );
}
