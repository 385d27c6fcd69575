import type { CDPSession } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';

/**
 * Closes all connections, idle or in use, over TCP and QUIC, from Chromium's own network page, and clears the host cache.
 * Session tickets, cache and cookies stay. Leaves the tab's page first, so that it cannot open new connections.
 * @throws Error if this Chromium has no such page, or it does not respond
 */
export async function closeConnections(session: CDPSession): Promise<void> {
  const { errorText } = await session.send('Page.navigate', { url: PAGE });
  if (errorText) throw new Error(`Chromium has no ${PAGE} to close connections with: ${errorText}`);
  const answer = session.send('Runtime.evaluate', {
    expression: CLOSE_AND_WAIT,
    awaitPromise: true,
    returnByValue: true,
  });
  const ended = await withDeadline(answer, ANSWER_LIMIT_MS, () => {
    throw new Error(
      `${PAGE} did not confirm within ${ANSWER_LIMIT_MS} ms that connections are closed`,
    );
  });
  if (ended.exceptionDetails) {
    const { exception, text } = ended.exceptionDetails;
    throw new Error(`${PAGE} could not close the connections: ${exception?.description ?? text}`);
  }
}

const PAGE = 'chrome://net-internals/';
const ANSWER_LIMIT_MS = 5_000;

// Closing is not acknowledged, but any later request to the same network stack is processed after it.
const CLOSE_AND_WAIT = `(async () => {
  const { sendWithPromise } = await import('chrome://resources/js/cr.js');
  chrome.send('flushSocketPools');
  chrome.send('clearHostResolverCache');
  await sendWithPromise('hstsQuery', 'any.test');
})()`;
