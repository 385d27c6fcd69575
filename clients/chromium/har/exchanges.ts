import type { Protocol } from 'puppeteer-core';
import type { CdpEvent } from './events.ts';

/** One request and what came back: everything the events say about it. A redirect's steps are an exchange each. */
export interface Exchange {
  /** Unique, unlike Chromium's requestId, which all steps of a redirect share. */
  id: string;
  request: Protocol.Network.RequestWillBeSentEvent;
  /** Headers as they were sent; null: the events do not have them. */
  sentHeaders: Protocol.Network.Headers | null;
  /** Null: none, or not one that the page was allowed to see. */
  response: Protocol.Network.Response | null;
  responseAtS: number | null;
  /** Headers as they came, with Set-Cookie; null: the events do not have them. */
  received: Protocol.Network.ResponseReceivedExtraInfoEvent | null;
  priority: Protocol.Network.ResourcePriority;
  servedFromCache: boolean;
  data: Protocol.Network.DataReceivedEvent[];
  finished: Protocol.Network.LoadingFinishedEvent | null;
  failed: Protocol.Network.LoadingFailedEvent | null;
  /** True when the response sent the browser to the next exchange. */
  redirected: boolean;
  /** Timestamp of the last event of all: how long something unfinished was waited for. */
  captureEndS: number;
}

/** The exchanges over http and https in order of their start; the events may come in any order that sessions deliver. */
export function exchangesOf(events: readonly CdpEvent[]): Exchange[] {
  const captureEndS = Math.max(0, ...events.map(({ params }) => timestampOf(params)));
  const byRequest = Map.groupBy(events, ({ params }) => (params as RequestEvent).requestId);
  const exchanges: Exchange[] = [];
  for (const [requestId, own] of byRequest) {
    if (requestId !== undefined) exchanges.push(...stepsOf(own, captureEndS));
  }
  return exchanges.sort((a, b) => a.request.timestamp - b.request.timestamp);
}

interface RequestEvent {
  requestId?: string;
}

function timestampOf(params: unknown): number {
  return (params as { timestamp?: number }).timestamp ?? 0;
}

/** The exchanges of one requestId: one, or the steps of a redirect. */
function stepsOf(events: readonly CdpEvent[], captureEndS: number): Exchange[] {
  const all = <T>(method: string): T[] =>
    events.filter((event) => event.method === `Network.${method}`).map(({ params }) => params as T);
  const requests = all<Protocol.Network.RequestWillBeSentEvent>('requestWillBeSent')
    .sort((a, b) => a.timestamp - b.timestamp)
    // The same request said twice (by two sessions, or after an interception) is no second step.
    .filter((request, index) => index === 0 || request.redirectResponse !== undefined);
  const [first] = requests;
  if (first === undefined || !/^https?:/.test(first.request.url)) return [];

  const response = all<Protocol.Network.ResponseReceivedEvent>('responseReceived').at(-1);
  const sent = all<Protocol.Network.RequestWillBeSentExtraInfoEvent>('requestWillBeSentExtraInfo');
  const received = all<Protocol.Network.ResponseReceivedExtraInfoEvent>(
    'responseReceivedExtraInfo',
  );
  const priority =
    all<Protocol.Network.ResourceChangedPriorityEvent>('resourceChangedPriority').at(-1);

  return requests.map((request, index) => {
    const next = requests[index + 1];
    // Extra information has no step of its own: it comes in the order of the steps, but not for every step
    // (a redirect inside the browser has none) and not in order with the other events.
    const hasExtra = next === undefined ? response?.hasExtraInfo : next.redirectHasExtraInfo;
    const expected = hasExtra !== false;
    const step = {
      id: next === undefined ? request.requestId : `${request.requestId}-${index}`,
      request,
      sentHeaders: expected ? (sent.shift()?.headers ?? null) : null,
      received: expected ? (received.shift() ?? null) : null,
      priority: request.request.initialPriority,
      servedFromCache: false,
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
      // What is left over belongs to repeats on a new connection: the last is the one that was answered.
      sentHeaders: sent.at(-1)?.headers ?? step.sentHeaders,
      received: received.at(-1) ?? step.received,
      response: response?.response ?? null,
      responseAtS: response?.timestamp ?? null,
      priority: priority?.newPriority ?? step.priority,
      servedFromCache: all('requestServedFromCache').length > 0,
      data: all<Protocol.Network.DataReceivedEvent>('dataReceived'),
      finished: all<Protocol.Network.LoadingFinishedEvent>('loadingFinished').at(-1) ?? null,
      failed: all<Protocol.Network.LoadingFailedEvent>('loadingFailed').at(-1) ?? null,
      redirected: false,
    };
  });
}
