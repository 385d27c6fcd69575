import { openWatched } from '../../clients/chromium/network-panel.ts';
import { DEVTOOLS_PREFERENCES, withProfile } from '../../clients/chromium/profile.ts';
import { assertScreen } from '../../clients/chromium/screen.ts';
import { withScreenEverywhere } from '../../clients/chromium/screen-relay.ts';
import { withWindow } from '../../clients/chromium/window.ts';
import type { Given } from '../../ground/options/row.ts';
import { askedOfSite } from './asked.ts';
import { browserOf } from './browser.ts';
import type { ByHand } from './measured-path.ts';
import { proofLines } from './proof.ts';
import { type SiteByHand, withSiteByHand } from './site.ts';
import { untilStopped } from './until-stopped.ts';

const INSTEAD = 'Or use npm run serve, which prints how to reach the site without a window.';

/**
 * Serves a site over a measured path and opens it in a window of Chromium, until that is closed.
 * @param given options of SITE_BY_HAND_OPTIONS, and `devtools`
 * @throws UsageError, MachineError, ServerError and NetworkError as a run does; MachineError without a screen; the reason of the signal
 */
export async function openSite(
  site: string,
  { devtools, ...given }: Given,
  byHand: ByHand,
): Promise<void> {
  const asked = askedOfSite(site, given);
  const { condition } = asked;
  await assertScreen(INSTEAD);
  await withSiteByHand(asked, byHand, (served) => {
    for (const line of proofLines(served.calibration, condition)) byHand.say(line);
    const { manifest, server } = served;
    byHand.say(`\nOpening ${manifest.url} by ${server.stack.label}, until its window is closed.`);
    return whileServed(served, byHand.signal, (signal) =>
      withScreenEverywhere((environment) =>
        withProfile(async (profileFolder) => {
          const { enter, url, ...options } = await browserOf(served, profileFolder);
          const window = {
            ...options,
            enter: [...environment, ...enter],
            signal,
            instead: INSTEAD,
          };
          if (devtools === undefined) return withWindow({ ...window, url });
          // What is loaded before they are there is not in them.
          return withWindow(window, (browser) => openWatched(browser, manifest.url));
        }, DEVTOOLS_PREFERENCES),
      ),
    );
  });
}

/** Ends what is done when the server or the path is gone. */
async function whileServed(
  served: SiteByHand,
  signal: AbortSignal,
  use: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const used = use(either).finally(() => over.abort());
  const gone = untilStopped(served, either).catch((error: Error) => over.abort(error));
  await Promise.all([used, gone]);
}
