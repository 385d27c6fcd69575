import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelFacts } from './channel-facts.ts';
import { httpVersionOf } from './har/words.ts';
import { evaluate } from './script.ts';
import { readFacts } from './tab.ts';
import type { FirefoxContext } from './user-context.ts';

/** Requests with their connections, as far as they are read here. */
export type Visited = Pick<
  ChannelFacts,
  'url' | 'method' | 'status' | 'version' | 'connectStartMs' | 'connectEndMs'
>;

/**
 * Requests one response from each host of an earlier load, without a cache, from an empty document at the page's URL, so that Firefox
 * uses what it has learned for the same site. Requests them again when that has Firefox store its session tickets.
 * @param of its tab is left at that document
 * @returns protocols of the responses
 * @throws Error if a host does not respond
 */
export async function returnToSite(
  of: FirefoxContext,
  url: string,
  earlier: readonly Visited[],
): Promise<string[]> {
  const urls = oneOfEachHost(earlier);
  await goToEmptyDocument(of, url);
  const responses = await request(urls, of);
  if (responses.some(isOverQuic)) {
    await sleep(ticketDelayMs([...earlier, ...responses]));
    await request(urls, of);
  }
  return responses.map(httpVersionOf);
}

/** More than servers accept (nginx 8,192 bytes, Apache 8,190); those of all hosts are one message, of limited length. */
const MOST_URL_CHARACTERS = 8_000;

/** URL of the last response of each host to a request that can be repeated. */
export function oneOfEachHost(visited: readonly Visited[]): string[] {
  const urls = visited.flatMap(({ method, url, status }) =>
    method === 'GET' && url.startsWith('https:') && url.length <= MOST_URL_CHARACTERS && status > 0
      ? [[new URL(url).host, url] as const]
      : [],
  );
  return [...new Map(urls).values()];
}

export function isOverQuic(visited: Visited): boolean {
  return httpVersionOf(visited) === 'h3';
}

/**
 * Time after which Firefox stores QUIC's session tickets with the next packet. Unless the server also sends a token for the client's
 * address, neqo keeps a ticket back for three probe timeouts, for which it sets no timer.
 * @param responses with those for which the connections were set up
 */
export function ticketDelayMs(responses: readonly Visited[]): number {
  const connectMs = responses.map(
    ({ connectStartMs, connectEndMs }) => connectEndMs - connectStartMs,
  );
  // A handshake has at least one round trip.
  const rttMs = Math.max(0, ...connectMs);
  // RFC 9002, section 6.2.1, after one sample of the round trip, whose variation counts as half of it.
  const probeTimeoutMs = 3 * rttMs + MAX_ACK_DELAY_MS;
  // One more in case the ticket was lost.
  return Math.min(4 * probeTimeoutMs, MOST_DELAY_MS);
}

const MAX_ACK_DELAY_MS = 25;
const MOST_DELAY_MS = 10_000;

/** Sends no request to a server. */
async function goToEmptyDocument(
  { session, context }: Pick<FirefoxContext, 'session' | 'context'>,
  url: string,
): Promise<void> {
  const contexts = [context];
  const { subscription } = await session.send<{ subscription: string }>('session.subscribe', {
    events: [REQUEST],
    contexts,
  });
  const { intercept } = await session.send<{ intercept: string }>('network.addIntercept', {
    phases: ['beforeRequestSent'],
    contexts,
  });
  const end = session.listen(({ method, params }) => {
    const { isBlocked, request: blocked } = params as {
      isBlocked?: boolean;
      request?: { request: string };
    };
    if (method !== REQUEST || !isBlocked || !blocked) return;
    const headers = [{ name: 'content-type', value: { type: 'string', value: 'text/html' } }];
    // The tab may be closed.
    session
      .send('network.provideResponse', { request: blocked.request, statusCode: 200, headers })
      .catch(() => {});
  });
  try {
    await session.send('browsingContext.navigate', { context, url, wait: 'complete' });
  } finally {
    end();
    await session.send('network.removeIntercept', { intercept });
    await session.send('session.unsubscribe', { subscriptions: [subscription] });
  }
}

const REQUEST = 'network.beforeRequestSent';

/** Requests URLs in a tab, with and without credentials, which have separate connections. */
async function request(urls: readonly string[], of: FirefoxContext): Promise<Visited[]> {
  const { session, context } = of;
  await readFacts(of);
  // A response counts though the page may not read it.
  const fetchAll = `Promise.all(${JSON.stringify(urls)}.flatMap((url) => ['include', 'omit'].map((credentials) =>
    fetch(url, { mode: 'no-cors', cache: 'no-store', credentials }).then((response) => response.text()).catch(() => {})
  ))).then(() => {})`;
  await evaluate(session, { context, sandbox: 'return-visit' }, fetchAll);
  const responses = (await readFacts(of)).filter(({ status }) => status > 0);
  const silent = urls.find((url) => !responses.some((each) => each.url === url));
  if (silent !== undefined) throw new Error(`${silent} did not respond a second time`);
  return responses;
}
