import type { Protocol } from 'puppeteer-core';
import type { CdpEvent } from '../../../clients/chromium/har/events.ts';
import type { MediaRequest } from './watched-session.ts';

/**
 * Requests over the network, in the order sent, from the events of Chromium's Network domain.
 * @param zeroS origin of the returned times, on the monotonic clock of the events, in s
 */
export function mediaRequests(events: readonly CdpEvent[], zeroS: number): MediaRequest[] {
  const requests: MediaRequest[] = [];
  const underWay = new Map<string, MediaRequest>();
  const announced = new Map<MediaRequest, number>();
  const since = (seconds: number) => (seconds - zeroS) * 1000;
  for (const { method, params } of events) {
    const { requestId } = params as { requestId?: string };
    const request = requestId === undefined ? undefined : underWay.get(requestId);
    if (method === 'Network.requestWillBeSent') {
      const sent = params as Protocol.Network.RequestWillBeSentEvent;
      if (request && sent.redirectResponse) {
        answered(request, sent.redirectResponse);
        request.endMs = since(sent.timestamp);
      }
      const { url } = sent.request;
      if (!url.startsWith('https:')) continue;
      const made: MediaRequest = {
        url,
        range: rangeOf(sent.request.headers),
        requestedMs: since(sent.timestamp),
        firstByteMs: null,
        endMs: null,
        bytes: 0,
        status: null,
        protocol: null,
        connectMs: null,
        failed: null,
      };
      requests.push(made);
      underWay.set(sent.requestId, made);
    } else if (request === undefined) {
    } else if (method === 'Network.responseReceived') {
      answered(request, (params as Protocol.Network.ResponseReceivedEvent).response);
    } else if (method === 'Network.dataReceived') {
      request.bytes += (params as Protocol.Network.DataReceivedEvent).dataLength;
    } else if (method === 'Network.loadingFinished') {
      // With HTTP/2 and HTTP/3, Chromium accepts a body that is shorter than its content-length.
      const bytes = announced.get(request) ?? 0;
      if (request.bytes < bytes) request.failed = `ended after ${request.bytes} of ${bytes} bytes`;
      else request.endMs = since((params as Protocol.Network.LoadingFinishedEvent).timestamp);
    } else if (method === 'Network.loadingFailed') {
      request.failed = (params as Protocol.Network.LoadingFailedEvent).errorText;
    }
  }
  return requests;

  function answered(request: MediaRequest, response: Protocol.Network.Response): void {
    const { status, protocol, timing } = response;
    request.status = status;
    request.protocol = protocol ?? null;
    announced.set(request, bytesAnnounced(response));
    if (!timing) return;
    request.firstByteMs = since(timing.requestTime) + timing.receiveHeadersStart;
    if (timing.connectStart >= 0) request.connectMs = timing.connectEnd - timing.connectStart;
  }
}

/**
 * Events until the end of watching; requests in flight have no end.
 * @param endS end of watching, on the monotonic clock of the events, in s
 */
export function eventsUntil(events: readonly CdpEvent[], endS: number): CdpEvent[] {
  const timeOf = ({ params }: CdpEvent) => (params as { timestamp?: number }).timestamp;
  const late = new Set<string>();
  for (const event of events) {
    const { requestId, redirectResponse } =
      event.params as Partial<Protocol.Network.RequestWillBeSentEvent>;
    const isSent = event.method === 'Network.requestWillBeSent' && !redirectResponse;
    if (isSent && requestId !== undefined && (timeOf(event) ?? endS) > endS) late.add(requestId);
  }
  return events.filter((event) => {
    const { requestId } = event.params as { requestId?: string };
    return (timeOf(event) ?? endS) <= endS && (requestId === undefined || !late.has(requestId));
  });
}

/** Expected length of a body; 0: not announced, or announced for the encoded body. */
function bytesAnnounced({ headers }: Protocol.Network.Response): number {
  const headerOf = (wanted: string) =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return headerOf('content-encoding') ? 0 : Number(headerOf('content-length') ?? 0);
}

/** First and last byte of a request's Range header; null: the whole file. */
function rangeOf(headers: Protocol.Network.Headers): MediaRequest['range'] {
  const [, value = ''] = Object.entries(headers).find(([name]) => /^range$/i.test(name)) ?? [];
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(value) ?? [];
  return first === undefined ? null : [Number(first), Number(last)];
}
