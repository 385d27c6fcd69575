import { harFromMessages } from 'chrome-har';
import type { Protocol } from 'puppeteer-core';
import type { Har } from '../../har/har.ts';
import type { LoadDescription } from '../../har/load-description.ts';
import type { CdpEvent } from './events.ts';
import { type Exchange, exchangesOf } from './exchanges.ts';
import { repairHar } from './repair.ts';

/** Builds the HAR of one page load from the merged events (events.ts) of its sessions. */
export function buildHar(events: readonly CdpEvent[], about: LoadDescription): Har {
  const exchanges = exchangesOf(events);
  const raw = harFromMessages(messagesOf(exchanges, events), {
    // Cached responses must show: they invalidate a cold load.
    includeResourcesFromDiskCache: true,
  });
  return repairHar(raw, exchanges, about);
}

/**
 * Input for chrome-har: one exchange after another, in a form that avoids its defects.
 * - It opens a page only at Page.frameStartedLoading, which may come late or never: a page is always opened first.
 * - It finds entries by request id alone, so the steps of a redirect would share headers: every step gets its own id.
 * - It adds ExtraInfo headers to those of the request, drops them if they come first, and reads cookies from neither:
 *   requests and responses contain the wire's headers from the start.
 * - It drops a request without a response: such a request gets an empty response with status 0.
 */
function messagesOf(exchanges: readonly Exchange[], events: readonly CdpEvent[]): CdpEvent[] {
  const [first] = exchanges;
  if (first === undefined) return [];
  return [
    { method: 'Page.frameStartedLoading', params: { frameId: first.request.frameId ?? '' } },
    ...exchanges.flatMap(messagesOfExchange),
    ...firstAfter(first.request.timestamp, 'Page.domContentEventFired', events),
    ...firstAfter(first.request.timestamp, 'Page.loadEventFired', events),
  ];
}

function messagesOfExchange(exchange: Exchange): CdpEvent[] {
  const { id: requestId, request } = exchange;
  return [
    {
      method: 'Network.requestWillBeSent',
      params: {
        ...request,
        requestId,
        redirectResponse: undefined,
        request: { ...request.request, headers: exchange.sentHeaders ?? request.request.headers },
      },
    },
    {
      method: 'Network.resourceChangedPriority',
      params: { requestId, newPriority: exchange.priority },
    },
    {
      method: 'Network.responseReceived',
      params: { requestId, frameId: request.frameId, response: responseOf(exchange) },
    },
    ...exchange.data.map((params) => ({
      method: 'Network.dataReceived',
      params: { ...params, requestId },
    })),
  ];
}

function responseOf({ response, received }: Exchange): Partial<Protocol.Network.Response> {
  if (response === null) {
    return {
      status: 0,
      statusText: '',
      protocol: 'unknown',
      headers: received?.headers ?? {},
      mimeType: 'x-unknown',
      connectionId: 0,
    };
  }
  return {
    ...response,
    protocol: response.protocol ?? 'unknown',
    headers: received?.headers ?? response.headers,
    headersText: received?.headersText,
    requestHeaders: undefined,
    requestHeadersText: undefined,
  };
}

/** The page's first such event after the request for the main document; earlier ones belong to about:blank. */
function firstAfter(startS: number, method: string, events: readonly CdpEvent[]): CdpEvent[] {
  const event = events.find(
    (candidate) =>
      candidate.method === method &&
      (candidate.params as { timestamp: number }).timestamp >= startS,
  );
  return event === undefined ? [] : [event];
}
