import type { Protocol } from 'puppeteer-core';
import { bodyCounter } from './body-counter.ts';
import type { CdpEvent } from './events.ts';

/** One request with its response. Each step of a redirect is its own exchange. */
export interface Exchange {
  /** Unique, unlike Chromium's requestId, which all steps of a redirect share. */
  id: string;
  request: Protocol.Network.RequestWillBeSentEvent;
  /** Headers as sent; null: not in the events. */
  sentHeaders: Protocol.Network.Headers | null;
  /** null: no response, or one hidden from the page. */
  response: Protocol.Network.Response | null;
  responseAtS: number | null;
  /** Headers as received, with Set-Cookie; null: not in the events. */
  received: Protocol.Network.ResponseReceivedExtraInfoEvent | null;
  priority: Protocol.Network.ResourcePriority;
  servedFromCache: boolean;
  data: Protocol.Network.DataReceivedEvent[];
  finished: Protocol.Network.LoadingFinishedEvent | null;
  failed: Protocol.Network.LoadingFailedEvent | null;
  /** The response redirected to the next exchange. */
  redirected: boolean;
  /** Chromium restarted it (Critical-CH, HSTS), so its connection data is incomplete. */
  isRestarted: boolean;
  /** Timestamp of the last event, up to which unfinished requests were observed. */
  captureEndS: number;
}

/** Exchanges over http and https, in order of their start. Events may be in any order. */
export function exchangesOf(events: readonly CdpEvent[]): Exchange[] {
  const captureEndS = Math.max(0, ...events.map(({ params }) => timestampOf(params)));
  const byRequest = Map.groupBy(events, ({ params }) => (params as RequestEvent).requestId);
  const exchanges: Exchange[] = [];
  const transformed = new Set<string>();
  for (const [requestId, own] of byRequest) {
    if (requestId === undefined) continue;
    const original = withoutTransformation(own);
    if (original.length < own.length) transformed.add(requestId);
    exchanges.push(...redirectSteps(original, captureEndS, transformed));
  }
  return withAbandoned(exchanges.sort((a, b) => a.request.timestamp - b.request.timestamp));
}

/**
 * Adds an end to requests of documents that the page has left, by a script or a refresh. Chromium reports none if the next
 * document has another process.
 */
function withAbandoned(exchanges: readonly Exchange[]): Exchange[] {
  const first = exchanges.find(isOfDocument);
  const last = exchanges.findLast(
    (each) => isOfDocument(each) && each.request.frameId === first?.request.frameId,
  );
  const leftAtS = last?.responseAtS ?? null;
  if (!last || leftAtS === null) return [...exchanges];
  return exchanges.map((exchange) => {
    const { request, finished, failed, redirected } = exchange;
    const isOpen = finished === null && failed === null && !redirected;
    const wasLeft = request.loaderId !== last.request.loaderId && request.timestamp < leftAtS;
    if (!isOpen || !wasLeft) return exchange;
    const { requestId, type = 'Other' } = request;
    const abandoned = { requestId, type, timestamp: leftAtS, canceled: true };
    return { ...exchange, failed: { ...abandoned, errorText: 'net::ERR_ABORTED' } };
  });
}

function isOfDocument({ request }: Exchange): boolean {
  return request.type === 'Document' && request.requestId === request.loaderId;
}

interface RequestEvent {
  requestId?: string;
  type?: string;
}

function timestampOf(params: unknown): number {
  return (params as { timestamp?: number }).timestamp ?? 0;
}

/** Removes events of a style sheet's (XSLT) transformation: Chromium adds its bytes and end to the document's. */
function withoutTransformation(events: readonly CdpEvent[]): readonly CdpEvent[] {
  const isDocument = events.some(({ params }) => (params as RequestEvent).type === 'Document');
  const end = events.findIndex(({ method }) => method === 'Network.loadingFinished');
  if (!isDocument || end < 0) return events;
  return events.filter(({ method }, index) => index <= end || method !== 'Network.dataReceived');
}

/**
 * Exchanges of one requestId: one, or the steps of a redirect.
 * @param transformed requestIds of documents transformed by style sheets, of which Chromium reports no end
 */
function redirectSteps(
  events: readonly CdpEvent[],
  captureEndS: number,
  transformed: ReadonlySet<string | undefined>,
): Exchange[] {
  const all = <T>(method: string): T[] =>
    events.filter((event) => event.method === `Network.${method}`).map(({ params }) => params as T);
  const requests = all<Protocol.Network.RequestWillBeSentEvent>('requestWillBeSent')
    .sort((a, b) => a.timestamp - b.timestamp)
    // A repeated event (from two sessions, or after an interception) is no second step.
    .filter((request, index) => index === 0 || request.redirectResponse !== undefined);
  const [first] = requests;
  if (first === undefined || !/^https?:/.test(first.request.url)) return [];

  const response = all<Protocol.Network.ResponseReceivedEvent>('responseReceived').at(-1);
  const sent = all<Protocol.Network.RequestWillBeSentExtraInfoEvent>('requestWillBeSentExtraInfo');
  const received = all<Protocol.Network.ResponseReceivedExtraInfoEvent>(
    'responseReceivedExtraInfo',
  );
  const data = all<Protocol.Network.DataReceivedEvent>('dataReceived');
  const isDocument = first.type === 'Document';
  const wasUsed = first.type === 'Stylesheet' && transformed.has(first.loaderId);
  const priority =
    all<Protocol.Network.ResourceChangedPriorityEvent>('resourceChangedPriority').at(-1);

  const steps = requests.map((request, index): Exchange => {
    const next = requests[index + 1];
    // ExtraInfo has no step number: it comes in the order of the steps, but not for every step (not for redirects inside
    // the browser), and not in order with the other events.
    const hasExtra = next === undefined ? response?.hasExtraInfo : next.redirectHasExtraInfo;
    const expected = hasExtra !== false;
    const step = {
      id: next === undefined ? request.requestId : `${request.requestId}-${index}`,
      request,
      sentHeaders: expected ? (sent.shift()?.headers ?? null) : null,
      received: expected ? (received.shift() ?? null) : null,
      priority: request.request.initialPriority,
      servedFromCache: false,
      isRestarted: false,
      captureEndS,
    };
    if (next !== undefined) {
      return {
        ...step,
        response: next.redirectResponse ?? null,
        responseAtS: next.timestamp,
        data: [],
        finished: null,
        failed: null,
        redirected: true,
      };
    }
    return {
      ...step,
      // Surplus ExtraInfo belongs to repeats on a new connection, of which the last got the response.
      sentHeaders: sent.at(-1)?.headers ?? step.sentHeaders,
      received: received.at(-1) ?? step.received,
      response: response?.response ?? null,
      responseAtS: response?.timestamp ?? null,
      priority: priority?.newPriority ?? step.priority,
      servedFromCache: all('requestServedFromCache').length > 0,
      data,
      finished:
        all<Protocol.Network.LoadingFinishedEvent>('loadingFinished').at(isDocument ? 0 : -1) ??
        endOfUnread(response, data, wasUsed),
      failed: all<Protocol.Network.LoadingFailedEvent>('loadingFailed').at(-1) ?? null,
      redirected: false,
    };
  });
  return withoutInternalRedirects(steps);
}

/**
 * Removes steps that Chromium made up (Critical-CH, HSTS) without a response. The next step begins when the first of them did.
 */
function withoutInternalRedirects(steps: readonly Exchange[]): Exchange[] {
  let first: Exchange['request'] | null = null;
  return steps.flatMap((step) => {
    const begun = first ?? step.request;
    if (step.redirected && isInternal(step.response)) {
      first = begun;
      return [];
    }
    const isRestarted = first !== null;
    first = null;
    const { timestamp, wallTime } = begun;
    return { ...step, request: { ...step.request, timestamp, wallTime }, isRestarted };
  });
}

function isInternal(response: Protocol.Network.Response | null): boolean {
  return response?.status === 307 && response.statusText === 'Internal Redirect';
}

/** End of a request whose whole body has arrived, but which Chromium never ended; null: incomplete. */
function endOfUnread(
  received: Protocol.Network.ResponseReceivedEvent | undefined,
  data: readonly Protocol.Network.DataReceivedEvent[],
  wasUsed: boolean,
): Protocol.Network.LoadingFinishedEvent | null {
  if (!received) return null;
  const { requestId, response, timestamp } = received;
  const body = bodyCounter(response.headers);
  data.forEach(body.receive);
  if (!wasUsed && !body.isComplete()) return null;
  const encodedBytes = data.reduce((sum, { encodedDataLength }) => sum + encodedDataLength, 0);
  return {
    requestId,
    timestamp: data.at(-1)?.timestamp ?? timestamp,
    encodedDataLength: Math.max(0, response.encodedDataLength) + encodedBytes,
  };
}
