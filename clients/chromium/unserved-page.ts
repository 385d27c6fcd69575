import type { CDPSession } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { LIMITS } from '../browser-limits.ts';
import { nextLoadEvent } from './ending.ts';

/**
 * Opens a page at a URL without a request to its server, so that the page may request the site's other resources.
 * @returns start of the page's clock, by the machine's monotonic clock, in ms
 * @throws Error if it does not open in time
 */
export async function openUnservedPage(
  session: CDPSession,
  url: string,
  title: string,
): Promise<number> {
  const html = `<!doctype html><link rel="icon" href="data:,"><title>${title}</title>`;
  session.once('Fetch.requestPaused', ({ requestId }) => {
    const answer = { requestId, responseCode: 200, body: Buffer.from(html).toString('base64') };
    session.send('Fetch.fulfillRequest', answer).catch(() => {}); // The navigation times out.
  });
  await session.send('Fetch.enable', { patterns: [{ requestStage: 'Request' }] });
  const loaded = nextLoadEvent(session);
  await session.send('Page.navigate', { url });
  await withDeadline(loaded, LIMITS.browserAnswerMs, () => {
    throw new Error(
      `Chromium did not open an empty page within ${LIMITS.browserAnswerMs / 1000} s.`,
    );
  });
  await session.send('Fetch.disable');
  return navigationMs(session);
}

async function navigationMs(session: CDPSession): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  await session.send('Performance.disable');
  const seconds = metrics.find(({ name }) => name === 'NavigationStart')?.value;
  return (seconds ?? Number.NaN) * 1000;
}
