import type { Browser, CDPSession, Target } from 'puppeteer-core';
import type { HandshakeCounts } from '../../records/connection.ts';
import { DEFAULTS } from '../defaults.ts';
import { closeConnections } from './close-connections.ts';
import { type Failure, timeout, untilFailure, untilLoadEvent } from './ending.ts';
import { forgetSite } from './forget-site.ts';
import { freshTab, withTabBeside } from './fresh-tab.ts';
import { NO_HANDSHAKES, readHandshakeCounts } from './handshake-counts.ts';
import { startRecorder } from './recorder.ts';
import type { VisitOptions } from './visit.ts';

/** What an earlier load left: the tab where the measured one is to begin, and the handshakes made so far. */
export interface EarlierLoad {
  tab: Target;
  /** null: Chromium did not tell. */
  handshakes: HandshakeCounts | null;
}

/**
 * Loads the page once before it is measured. For a reload all stays as it is then. Else every connection of that load is closed
 * and a new tab opened, and for a resumed visit Chromium forgets all of it but its session tickets. Gives what is left, or why
 * it cannot.
 */
export async function makeEarlierLoad(
  browser: Browser,
  { tab, session }: { tab: Target; session: CDPSession },
  { url, kind, hosts, timeoutS, script }: VisitOptions,
): Promise<EarlierLoad | Failure> {
  const recorder = await startRecorder(session, script);
  const failure = await Promise.race([
    untilLoadEvent(session, url),
    untilFailure(browser, session),
    timeout(timeoutS),
  ]);
  if (failure) {
    return {
      code: 'earlier-load-failed',
      message: `The load before the measured one failed (${failure.code}): ${failure.message}`,
    };
  }
  await recorder.quiet(DEFAULTS.quietMs, DEFAULTS.quietLimitMs);
  if (kind === 'reload') {
    // Its frames and workers are watched no more, or they would be watched twice.
    await session.detach();
    const handshakes = await withTabBeside(browser, (beside) =>
      readHandshakeCounts(browser, beside, NO_HANDSHAKES),
    );
    return { tab, handshakes };
  }
  const fresh = await (await freshTab(browser)).createCDPSession();
  await closeConnections(fresh);
  if (kind === 'resumed') await forgetSite(fresh, hosts);
  const handshakes = await readHandshakeCounts(browser, fresh, NO_HANDSHAKES);
  // The page about the network is left for an empty one, where every measured load begins.
  return { tab: await freshTab(browser), handshakes };
}
