import type { CDPSession, Protocol } from 'puppeteer-core';
import type { CdpEvent } from './har/events.ts';
import type { LoadContext } from './load-context.ts';
import { allowLocalHosts } from './local-hosts.ts';

/**
 * Re-fetches one response per host that advertised Alt-Svc, so that Chromium re-learns what clearing its cache deleted. Fetches
 * without a cache from an empty document at the page's URL, so that Alt-Svc is stored for the same site.
 * @param session of a tab of the load context, which is left at that document
 * @param events of the load
 * @returns protocols of the responses from the document's own host
 * @throws Error if a host does not respond
 */
export async function relearnAltSvc(
  context: Pick<LoadContext, 'root' | 'browserContextId'>,
  session: CDPSession,
  events: readonly CdpEvent[],
): Promise<string[]> {
  const responses = events.flatMap(({ method, params }) =>
    method === 'Network.responseReceived' ? [params as Protocol.Network.ResponseReceivedEvent] : [],
  );
  const document = responses.find(({ type }) => type === 'Document')?.response.url;
  const byHost = new Map(
    responses
      .filter(({ response }) =>
        Object.keys(response.headers).some((name) => /^alt-svc$/i.test(name)),
      )
      .map(({ response }) => [new URL(response.url).host, response.url]),
  );
  if (document === undefined || byHost.size === 0) return [];
  await allowLocalHosts(context);
  await goToEmptyDocument(session, document);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `Promise.all(${JSON.stringify([...byHost.values()])}.map((url) =>
      fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then((response) => response.text(),
        ({ message }) => { throw new Error(url + ': ' + message); })))
      .then(() => performance.getEntriesByType('resource').map((each) => each.nextHopProtocol).filter(Boolean))`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) {
    const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new Error(`a host did not repeat its Alt-Svc: ${why}`);
  }
  return result.value as string[];
}

/** Sends no request to a server. */
async function goToEmptyDocument(session: CDPSession, url: string): Promise<void> {
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
  session.once('Fetch.requestPaused', ({ requestId }) => {
    const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
    // The tab may be closed.
    session
      .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: '' })
      .catch(() => {});
  });
  await session.send('Page.navigate', { url });
  await session.send('Fetch.disable');
}
