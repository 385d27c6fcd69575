import type { Protocol } from 'puppeteer-core';
import type { CdpEvent } from './har/events.ts';

/** Requests that a network event broke or left pending. */
interface BrokenRequests {
  broken: number;
  /** Whether the main document's request broke. */
  isDocumentBroken: boolean;
  /** Requests without an end so far. */
  underWay: number;
}

/**
 * Counts the broken requests of one navigation.
 * @param events of the navigation alone
 * @param fromS timestamp of the network event; earlier failures have other causes
 */
export function brokenRequests(events: readonly CdpEvent[], fromS: number): BrokenRequests {
  const idsOf = (method: string) =>
    new Set(events.filter((event) => event.method === method).map(requestIdOf));
  const sent = idsOf('Network.requestWillBeSent');
  const ended = new Set([...idsOf('Network.loadingFinished'), ...idsOf('Network.loadingFailed')]);
  const broken = events
    .filter(({ method }) => method === 'Network.loadingFailed')
    .map(({ params }) => params as Protocol.Network.LoadingFailedEvent)
    // Requests of the previous navigation end during this one.
    .filter((failed) => sent.has(failed.requestId) && isBroken(failed, fromS));
  const main = documentRequest(events)?.requestId;
  return {
    broken: broken.length,
    isDocumentBroken: broken.some(({ requestId }) => requestId === main),
    underWay: [...sent].filter((id) => !ended.has(id)).length,
  };
}

/** Timestamp of the navigation's first request; infinity: none yet. */
export function firstRequestS(events: readonly CdpEvent[]): number {
  return documentRequest(events)?.timestamp ?? Number.POSITIVE_INFINITY;
}

function documentRequest(
  events: readonly CdpEvent[],
): Protocol.Network.RequestWillBeSentEvent | undefined {
  return events
    .filter(({ method }) => method === 'Network.requestWillBeSent')
    .map(({ params }) => params as Protocol.Network.RequestWillBeSentEvent)
    .find(({ type }) => type === 'Document');
}

/** Unknown hosts, blocked responses and cancelled requests occur on any path. */
const NOT_OF_PATH = /ERR_NAME_NOT_RESOLVED|ERR_BLOCKED_BY|ERR_ABORTED/;

/** Whether a request failed after the event, except if the page cancelled or the browser blocked it. */
function isBroken(failed: Protocol.Network.LoadingFailedEvent, fromS: number): boolean {
  const { timestamp, canceled, blockedReason, corsErrorStatus, errorText } = failed;
  const isOwn = canceled || blockedReason || corsErrorStatus || NOT_OF_PATH.test(errorText);
  return timestamp >= fromS && !isOwn;
}

function requestIdOf({ params }: CdpEvent): string {
  return (params as { requestId: string }).requestId;
}
