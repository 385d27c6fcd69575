import { setTimeout as sleep } from 'node:timers/promises';
import type { BidiSession } from './bidi.ts';
import { evaluate } from './script.ts';
import type { FirefoxContext } from './user-context.ts';

/** Event `network.responseStarted`, as far as it is read here. */
export interface ResponseEvent {
  /** Times in ms; 0: no connection was set up for the request. */
  request: {
    url: string;
    method: string;
    timings: { connectStart: number; connectEnd: number };
  };
  response: { protocol: string };
}

/** Responses in all tabs, until it is ended. */
interface ResponseRecorder {
  responses: readonly ResponseEvent[];
  end(): void;
}

export function recordResponses(session: BidiSession): ResponseRecorder {
  const responses: ResponseEvent[] = [];
  const end = session.listen(({ method, params }) => {
    if (method === 'network.responseStarted') responses.push(params as ResponseEvent);
  });
  return { responses, end };
}

/**
 * Requests one response from each host of an earlier load, without a cache, from an empty document at the page's URL, so that Firefox
 * uses what it has learned for the same site. Requests them again when that has Firefox store its session tickets.
 * @param of its tab is left at that document
 * @returns protocols of the responses
 * @throws Error if a host does not respond
 */
export async function returnToSite(
  of: Pick<FirefoxContext, 'session' | 'context'>,
  url: string,
  earlier: readonly ResponseEvent[],
): Promise<string[]> {
  const urls = oneOfEachHost(earlier);
  await goToEmptyDocument(of, url);
  const responses = await request(urls, of);
  const delayMs = ticketDelayMs([...earlier, ...responses]);
  if (responses.some(isOverQuic)) {
    await sleep(delayMs);
    await request(urls, of);
  }
  return responses.map(({ response }) => response.protocol);
}

/** URL of the last response of each host to a request that can be repeated. */
export function oneOfEachHost(responses: readonly ResponseEvent[]): string[] {
  const urls = responses.flatMap(({ request: { method, url } }) =>
    method === 'GET' && url.startsWith('https:') ? [[new URL(url).host, url] as const] : [],
  );
  return [...new Map(urls).values()];
}

export function isOverQuic({ response }: ResponseEvent): boolean {
  return response.protocol.startsWith('h3');
}

/**
 * Time after which Firefox stores QUIC's session tickets with the next packet. Unless the server also sends a token for the client's
 * address, neqo keeps a ticket back for three probe timeouts, for which it sets no timer.
 * @param responses with those for which the connections were set up
 */
export function ticketDelayMs(responses: readonly ResponseEvent[]): number {
  const connectMs = responses.map(
    ({ request: { timings } }) => timings.connectEnd - timings.connectStart,
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
  const { intercept } = await session.send<{ intercept: string }>('network.addIntercept', {
    phases: ['beforeRequestSent'],
    contexts: [context],
  });
  const end = session.listen(({ method, params }) => {
    const { isBlocked, request: blocked } = params as {
      isBlocked?: boolean;
      request?: { request: string };
    };
    if (method !== 'network.beforeRequestSent' || !isBlocked || !blocked) return;
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
  }
}

/** Requests URLs in a tab, with and without credentials, which have separate connections. */
async function request(
  urls: readonly string[],
  { session, context }: Pick<FirefoxContext, 'session' | 'context'>,
): Promise<readonly ResponseEvent[]> {
  const { responses, end } = recordResponses(session);
  // A response counts though the page may not read it.
  const fetchAll = `Promise.all(${JSON.stringify(urls)}.flatMap((url) => ['include', 'omit'].map((credentials) =>
    fetch(url, { mode: 'no-cors', cache: 'no-store', credentials }).then((response) => response.text()).catch(() => {})
  ))).then(() => {})`;
  try {
    await evaluate(session, { context, sandbox: 'return-visit' }, fetchAll);
  } finally {
    end();
  }
  const silent = urls.find((url) => !responses.some((each) => each.request.url === url));
  if (silent !== undefined) throw new Error(`${silent} did not respond a second time`);
  return responses;
}
