import { closeConnections } from './close-connections.ts';
import { endingOf, untilLoadEvent } from './ending.ts';
import type { Failure } from './failure.ts';
import { forgetSite } from './forget-site.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';
import { startRecorder } from './recorder.ts';
import { attachAnew, replaceTab, type Tab } from './tab.ts';
import type { VisitKind } from './visit-kind.ts';

/** The page that is loaded once before it is measured. */
interface EarlierVisit {
  url: string;
  kind: VisitKind;
  hosts: readonly string[];
  timeoutS: number;
  script: string | null;
}

/**
 * Loads the page once before it is measured. For a reload all stays as it is then. Else every connection of that load is closed
 * and a new tab opened, and for a resumed visit Chromium forgets all of it but its session tickets. Gives the tab where the
 * measured load is to begin, or why it cannot.
 */
export async function makeEarlierLoad(
  place: Place,
  { url, kind, hosts, timeoutS, script }: EarlierVisit,
): Promise<Tab | Failure> {
  const { tab, root, browserContextId } = place;
  const recorder = await startRecorder(tab.session, script);
  const failure = await endingOf(untilLoadEvent(tab.session, url), place, timeoutS);
  if (failure) {
    return {
      code: 'earlier-load-failed',
      message: `The load before the measured one failed (${failure.code}): ${failure.message}`,
    };
  }
  await recorder.quiet(LIMITS.quietMs, LIMITS.quietLimitMs);
  if (kind === 'reload') {
    // Its frames and workers are watched no more, or they would be watched twice.
    return attachAnew(root, tab);
  }
  const between = await replaceTab(root, tab, browserContextId);
  await closeConnections(between.session);
  if (kind === 'resumed') await forgetSite(between.session, hosts);
  // The page about the network is left for an empty one, where every measured load begins.
  return replaceTab(root, between, browserContextId);
}
