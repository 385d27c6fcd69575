import { closeConnections } from './close-connections.ts';
import { endingOf, untilLoadEvent } from './ending.ts';
import type { Failure } from './failure.ts';
import { forgetSite } from './forget-site.ts';
import type { CdpEvent } from './har/events.ts';
import { LIMITS } from './limits.ts';
import type { LoadContext } from './load-context.ts';
import { startRecorder } from './recorder.ts';
import { relearnAltSvc } from './relearn-alt-svc.ts';
import { attachAnew, replaceTab, type Tab } from './tab.ts';
import { returnVisits, type VisitKind } from './visit-kind.ts';

/** The page that is loaded once before it is measured. */
interface EarlierVisit {
  url: string;
  kind: VisitKind;
  hosts: readonly string[];
  timeoutS: number;
  script: string | null;
  /** Has the path be from now on as it is to be for the measured load. */
  applyMeasuredNetwork: () => Promise<void>;
}

/** An earlier load that has come to its end. */
interface EarlierLoad {
  /** Where the measured load is to begin. */
  tab: Tab;
  /** What a HAR of it is made of. */
  events: CdpEvent[];
  /** By which protocols it came each time that the browser came back. */
  returnProtocols: string[][];
}

/**
 * Loads the page once before it is measured. For a reload all stays as it is then. Else every connection of that load is closed
 * and a new tab opened, and for a resumed visit Chromium forgets all of it but its session tickets. To know what the servers offer, it comes
 * back as often as the kind of visit says: over the connections of the load, then over new ones, the third time over the network of the
 * measured load. Gives the tab where the measured load is to begin, or why it cannot.
 */
export async function makeEarlierLoad(
  context: LoadContext,
  { url, kind, hosts, timeoutS, script, applyMeasuredNetwork: meetNetwork }: EarlierVisit,
): Promise<EarlierLoad | Failure> {
  const { tab, root, browserContextId } = context;
  const recorder = await startRecorder(context, script);
  const failure = await endingOf(untilLoadEvent(tab.session, url), context, timeoutS);
  if (failure) return earlierLoadFailure(failure);
  const { events } = recorder;
  await recorder.quiet(LIMITS.quietMs, LIMITS.quietLimitMs);
  if (kind === 'reload') {
    // Its frames and workers are watched no more, or they would be watched twice.
    return { tab: await attachAnew(root, tab), events, returnProtocols: [] };
  }
  const between = await replaceTab(root, tab, browserContextId);
  const times = returnVisits(kind);
  if (kind === 'resumed' || times > 0) await forgetSite(between.session, hosts);
  const returnProtocols: string[][] = [];
  while (returnProtocols.length < times) {
    if (returnProtocols.length === 2) await meetNetwork();
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
  // The page about the network is left for an empty one, where every measured load begins.
  return {
    tab: await replaceTab(root, between, browserContextId),
    events,
    returnProtocols,
  };
}

function earlierLoadFailure({ code, message }: Failure): Failure {
  return {
    code: 'earlier-load-failed',
    message: `The load before the measured one failed (${code}): ${message}`,
  };
}
