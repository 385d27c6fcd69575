import path from 'node:path';
import { hostsOf, type SiteManifest } from '../../cache/manifest.ts';
import { withBrowser } from '../../runner/browser/chromium.ts';
import { withProfile } from '../../runner/browser/profile.ts';
import { stopwatch, visit } from '../../runner/browser/visit.ts';
import type { Path } from '../../runner/network/path.ts';
import type { Server } from '../../runner/servers.ts';

/** What is kept of a load while it goes on. */
export interface Mode {
  name: string;
  har: boolean;
  netLog: boolean;
}

/** The first is the one that the others are compared with. */
export const MODES: readonly [Mode, ...Mode[]] = [
  { name: 'nothing', har: false, netLog: false },
  { name: 'HAR', har: true, netLog: false },
  { name: 'NetLog', har: false, netLog: true },
  { name: 'HAR and NetLog', har: true, netLog: true },
];

/** What a load took. */
export interface Cost {
  pageLoadMs: number;
  /** From the first to the last step around it, without the page load time. */
  besideMs: number;
}

/**
 * Loads a page once, keeping what the mode says.
 * @throws Error when the page did not load.
 */
export async function loadOnce(
  mode: Mode,
  {
    manifest,
    server,
    networkPath,
    chromium,
  }: {
    manifest: SiteManifest;
    server: Server;
    networkPath: Path;
    chromium: string;
  },
): Promise<Cost> {
  const total = stopwatch();
  const { timings, failure } = await withProfile((profileFolder) =>
    withBrowser(
      {
        ...{ profileFolder, chromium },
        netLogFile: mode.netLog ? path.join(profileFolder, 'net-log.json') : null,
        enter: networkPath.agent.enter('client'),
        protocol: server.stack.protocol,
        origins: server.origins,
        spkiPins: server.spkiPins,
      },
      (browser) =>
        visit(browser, {
          ...{ url: manifest.url, hosts: hostsOf(manifest), kind: 'cold', timeoutS: 30 },
          ...{ script: null, capture: mode.har, onNavigation: () => {} },
        }),
    ),
  );
  const pageLoadMs = timings?.loadEventEndMs ?? null;
  if (failure || pageLoadMs === null) {
    throw new Error(
      `${manifest.url} by ${server.stack.stack}: ${failure?.message ?? 'no load event'}`,
    );
  }
  return { pageLoadMs, besideMs: total() - pageLoadMs };
}
