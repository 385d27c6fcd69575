import type { CDPSession } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';

/**
 * Leads a tab to Chromium's own page about its network and closes every connection from there: idle ones and used ones,
 * by TCP and by QUIC, and has it forget the addresses of hosts. Session tickets, cache and cookies stay. Whatever page the tab held is left, so that it cannot open new
 * ones. Returns when the connections are closed.
 * @throws Error when this Chromium has no such page, or the page does not answer.
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
    throw new Error(`${PAGE} did not say within ${ANSWER_LIMIT_MS} ms that connections are closed`);
  });
  if (ended.exceptionDetails) {
    const { exception, text } = ended.exceptionDetails;
    throw new Error(`${PAGE} could not close the connections: ${exception?.description ?? text}`);
  }
}

const PAGE = 'chrome://net-internals/';
const ANSWER_LIMIT_MS = 5_000;

// Closing is not answered. What is asked after it of the same network stack is answered after it: any question will do.
const CLOSE_AND_WAIT = `(async () => {
  const { sendWithPromise } = await import('chrome://resources/js/cr.js');
  chrome.send('flushSocketPools');
  chrome.send('clearHostResolverCache');
  await sendWithPromise('hstsQuery', 'any.test');
})()`;
