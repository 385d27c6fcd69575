import { LIMITS } from '../browser-limits.ts';
import { earlierLoadFailure, type Failure } from '../load-failure.ts';
import type { EarlierVisit } from '../page-context.ts';
import { returnVisits } from '../visit-kind.ts';
import { closeConnections } from './close-connections.ts';
import { endingOf, untilLoadEvent } from './ending.ts';
import { forgetSite } from './forget-site.ts';
import type { CdpEvent } from './har/events.ts';
import type { LoadContext } from './load-context.ts';
import { startRecorder } from './recorder.ts';
import { relearnAltSvc } from './relearn-alt-svc.ts';
import { attachAnew, replaceTab, type Tab } from './tab.ts';

interface EarlierLoad {
  /** Where the measured load begins. */
  tab: Tab;
  /** Events for its HAR. */
  events: CdpEvent[];
  /** Protocols of the responses in each return visit. */
  returnProtocols: string[][];
}

/**
 * Loads the page once before it is measured. A reload keeps everything. Other visits close all connections and open a new tab;
 * a resumed visit also makes Chromium forget everything but session tickets. To learn what the servers offer, the browser returns
 * as often as the visit kind needs: over the load's connections, over new ones, and the third time over the measured load's network.
 * Returns the tab where the measured load begins, or the failure.
 */
export async function makeEarlierLoad(
  context: LoadContext,
  { url, kind, hosts, timeoutS, script, applyMeasuredNetwork }: EarlierVisit,
): Promise<EarlierLoad | Failure> {
  const { tab, root, browserContextId } = context;
  const recorder = await startRecorder(context, script);
  const failure = await endingOf(untilLoadEvent(tab.session, url), context, timeoutS);
  if (failure) return earlierLoadFailure(failure);
  const { events } = recorder;
  await recorder.quiet(LIMITS.quietMs, LIMITS.quietLimitMs);
  if (kind === 'reload') {
    // The new session stops watching frames and workers, which would otherwise be watched twice.
    return { tab: await attachAnew(root, tab), events, returnProtocols: [] };
  }
  const between = await replaceTab(root, tab, browserContextId);
  const times = returnVisits(kind);
  if (kind === 'resumed' || times > 0) await forgetSite(between.session, hosts);
  const returnProtocols: string[][] = [];
  while (returnProtocols.length < times) {
    if (returnProtocols.length === 2) await applyMeasuredNetwork();
    const relearning = relearnAltSvc(context, between.session, events);
    const relearned = relearning.then(
      (by) => {
        returnProtocols.push(by);
        return null;
      },
      ({ message }: Error) => ({ code: 'browser-failed' as const, message }),
    );
    const failureToRelearn = await endingOf(relearned, { ...context, tab: between }, timeoutS);
    if (failureToRelearn) return earlierLoadFailure(failureToRelearn);
    await closeConnections(between.session);
  }
  if (times === 0) await closeConnections(between.session);
  // Every measured load begins at an empty page.
  return {
    tab: await replaceTab(root, between, browserContextId),
    events,
    returnProtocols,
  };
}
