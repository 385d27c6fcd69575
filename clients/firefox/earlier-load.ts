import { withDeadline } from '../../ground/system/deadline.ts';
import { earlierLoadFailure, type Failure } from '../load-failure.ts';
import type { EarlierVisit, PageRecord } from '../page-context.ts';
import { returnVisits } from '../visit-kind.ts';
import { closeConnections, forgetSite } from './forget.ts';
import { isOverQuic, returnToSite } from './return-visit.ts';
import { watchTab } from './tab.ts';
import { type FirefoxContext, openTab } from './user-context.ts';

interface EarlierLoad {
  /** The tab where the measured load begins. */
  context: string;
  record: PageRecord;
  /** Protocols of the responses in each return visit. */
  returnProtocols: string[][];
}

/**
 * Loads the page once before it is measured. A reload keeps everything. Other visits close all connections and open a new tab;
 * a resumed visit also makes Firefox forget everything but session tickets, and Alt-Svc. Firefox returns as often as the visit kind
 * needs, and once more for the session tickets of QUIC: over the load's connections, over new ones, and the third time over the
 * measured load's network. Returns the tab where the measured load begins, or the failure.
 */
export async function makeEarlierLoad(
  of: FirefoxContext,
  { url, kind, timeoutS, script, applyMeasuredNetwork }: EarlierVisit,
): Promise<EarlierLoad | Failure> {
  const page = await watchTab(of, { url, isReload: false, timeoutS, script, capture: true });
  const { failure, record, channels } = await page.settle(await page.load());
  if (failure) return earlierLoadFailure(failure);
  if (kind === 'reload') {
    await page.stop();
    return { context: of.context, record, returnProtocols: [] };
  }
  let between = await replaceTab(of);
  const times = Math.max(returnVisits(kind), channels.some(isOverQuic) ? 1 : 0);
  const returnProtocols: string[][] = [];
  while (returnProtocols.length < times) {
    if (returnProtocols.length === 2) await applyMeasuredNetwork();
    const returned = await withDeadline(
      Promise.race([returnToSite(between, url, channels).catch(browserFailed), of.broken]),
      timeoutS * 1000,
      (): Failure => ({ code: 'timeout', message: `No return visit within ${timeoutS} s.` }),
    );
    if ('code' in returned) return earlierLoadFailure(returned);
    returnProtocols.push(returned);
    between = await replaceTab(between);
    await closeConnections(of);
  }
  if (times === 0) await closeConnections(of);
  if (kind === 'resumed' || returnVisits(kind) > 0) await forgetSite(of);
  return {
    context: between.context,
    record,
    returnProtocols: returnProtocols.slice(0, returnVisits(kind)),
  };
}

function browserFailed({ message }: Error): Failure {
  return { code: 'browser-failed', message };
}

/** Opens a tab of the same user context, and closes the old one, whose process ends with its memory caches. */
async function replaceTab(of: FirefoxContext): Promise<FirefoxContext> {
  const { session, userContext } = of;
  const { context } = await openTab(session, userContext);
  await session.send('browsingContext.close', { context: of.context });
  return { ...of, context };
}
