import type { Failure } from '../load-failure.ts';
import type { EarlierVisit, PageRecord } from '../page-context.ts';
import { type FirefoxContext, openTab } from './context.ts';
import { CLOSE_CONNECTIONS } from './forget.ts';
import { watchTab } from './tab.ts';

interface EarlierLoad {
  /** The tab where the measured load begins. */
  context: string;
  record: PageRecord;
  returnProtocols: string[][];
}

/** Loads the page once before it is measured. */
export async function makeEarlierLoad(
  of: FirefoxContext,
  { url, kind, timeoutS, script }: EarlierVisit,
): Promise<EarlierLoad | Failure> {
  const page = await watchTab(of, { url, isReload: false, timeoutS, script, capture: true });
  const { failure, record } = await page.settle(await page.load());
  if (failure) {
    const { code, message } = failure;
    return {
      code: 'earlier-load-failed',
      message: `The load before the measured one failed (${code}): ${message}`,
    };
  }
  if (kind === 'reload') return { context: of.context, record, returnProtocols: [] };
  const { session, privileged, context: old, userContext } = of;
  const { context } = await openTab(session, userContext);
  await session.send('browsingContext.close', { context: old });
  await privileged(CLOSE_CONNECTIONS);
  return { context, record, returnProtocols: [] };
}
