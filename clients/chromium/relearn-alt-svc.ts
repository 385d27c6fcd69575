import type { CDPSession, Protocol } from 'puppeteer-core';
import type { CdpEvent } from './har/events.ts';
import type { LoadContext } from './load-context.ts';
import { allowLocalHosts } from './local-hosts.ts';

/**
 * Has Chromium hear once more from each host that told a load of an alternative (Alt-Svc): it forgets that with its cache. One response
 * of each is fetched again, for no cache, from an empty document in the place of the page's, so that they are heard on behalf of the same site.
 * @param session of a tab of the place, which is at that document then
 * @param events of the load
 * @returns the protocols by which the responses came that are of the document's own host
 * @throws Error when a host does not answer
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
    throw new Error(`a host did not tell of its alternatives a second time: ${why}`);
  }
  return result.value as string[];
}

/** Nothing is asked of a server for it. */
async function goToEmptyDocument(session: CDPSession, url: string): Promise<void> {
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
  session.once('Fetch.requestPaused', ({ requestId }) => {
    const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
    // A tab that is closed meanwhile needs no answer.
    session
      .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: '' })
      .catch(() => {});
  });
  await session.send('Page.navigate', { url });
  await session.send('Fetch.disable');
}
