import { closeConnections } from './close-connections.ts';
import { endingOf, untilLoadEvent } from './ending.ts';
import type { Failure } from './failure.ts';
import { forgetSite } from './forget-site.ts';
import type { CdpEvent } from './har/events.ts';
import { hearOfAlternativesAgain } from './hear-again.ts';
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

/** An earlier load that has come to its end. */
interface EarlierLoad {
  /** Where the measured load is to begin. */
  tab: Tab;
  /** What a HAR of it is made of. */
  events: CdpEvent[];
}

/**
 * Loads the page once before it is measured. For a reload all stays as it is then. Else every connection of that load is closed
 * and a new tab opened, and for a resumed or discovered visit Chromium forgets all of it but its session tickets and what it was told of
 * the servers. Gives the tab where the measured load is to begin, or why it cannot.
 */
export async function makeEarlierLoad(
  place: Place,
  { url, kind, hosts, timeoutS, script }: EarlierVisit,
): Promise<EarlierLoad | Failure> {
  const { tab, root, browserContextId } = place;
  const recorder = await startRecorder(tab.session, script);
  const failure = await endingOf(untilLoadEvent(tab.session, url), place, timeoutS);
  if (failure) {
    return {
      code: 'earlier-load-failed',
      message: `The load before the measured one failed (${failure.code}): ${failure.message}`,
    };
  }
  const { events } = recorder;
  await recorder.quiet(LIMITS.quietMs, LIMITS.quietLimitMs);
  if (kind === 'reload') {
    // Its frames and workers are watched no more, or they would be watched twice.
    return { tab: await attachAnew(root, tab), events };
  }
  const between = await replaceTab(root, tab, browserContextId);
  if (kind === 'resumed' || kind === 'discovered') await forgetSite(between.session, hosts);
  if (kind === 'discovered') await hearOfAlternativesAgain(between.session, events);
  await closeConnections(between.session);
  // The page about the network is left for an empty one, where every measured load begins.
  return { tab: await replaceTab(root, between, browserContextId), events };
}
