import type { Browser, CDPSession, Target } from 'puppeteer-core';
import type { HandshakeCounts } from '../../records/connection.ts';
import { DEFAULTS } from '../defaults.ts';
import { closeConnections } from './close-connections.ts';
import { type Failure, timeout, untilLoadEvent } from './ending.ts';
import { forgetSite } from './forget-site.ts';
import { freshTab } from './fresh-tab.ts';
import { NO_HANDSHAKES, readHandshakeCounts } from './handshake-counts.ts';
import { startRecorder } from './recorder.ts';
import type { VisitOptions } from './visit.ts';

/**
 * Loads the page once before it is measured, closes every connection of that load and, for a resumed visit, has Chromium
 * forget all of it but its session tickets. Gives the new tab where the measured load is to begin, and what handshakes were made
 * so far; or why it cannot.
 */
export async function makeEarlierLoad(
  browser: Browser,
  session: CDPSession,
  { url, kind, hosts, timeoutS, script }: VisitOptions,
): Promise<{ tab: Target; handshakes: HandshakeCounts | null } | Failure> {
  const recorder = await startRecorder(session, script);
  const failure = await Promise.race([untilLoadEvent(session, url), timeout(timeoutS)]);
  if (failure) {
    return {
      code: 'earlier-load-failed',
      message: `The load before the measured one failed (${failure.code}): ${failure.message}`,
    };
  }
  await recorder.quiet(DEFAULTS.quietMs, DEFAULTS.quietLimitMs);
  const fresh = await (await freshTab(browser)).createCDPSession();
  await closeConnections(fresh);
  if (kind === 'resumed') await forgetSite(fresh, hosts);
  const handshakes = await readHandshakeCounts(browser, fresh, NO_HANDSHAKES);
  // The page about the network is left for an empty one, where every measured load begins.
  return { tab: await freshTab(browser), handshakes };
}
