import type { Protocol } from 'puppeteer-core';
import type { CdpEvent } from './har/events.ts';

/** What an event of the path did to the requests of a page. */
interface BrokenRequests {
  /** Those that broke after it. */
  broken: number;
  /** Whether that of the main document is among them. */
  isDocumentBroken: boolean;
  /** How many have no end yet. */
  underWay: number;
}

/**
 * The requests of one navigation that broke.
 * @param events of the navigation alone
 * @param fromS by the clock of the events: what broke earlier was broken by something else
 */
export function brokenRequests(events: readonly CdpEvent[], fromS: number): BrokenRequests {
  const idsOf = (method: string) =>
    new Set(events.filter((event) => event.method === method).map(requestIdOf));
  const sent = idsOf('Network.requestWillBeSent');
  const ended = new Set([...idsOf('Network.loadingFinished'), ...idsOf('Network.loadingFailed')]);
  const broken = events
    .filter(({ method }) => method === 'Network.loadingFailed')
    .map(({ params }) => params as Protocol.Network.LoadingFailedEvent)
    // Those of the navigation before end in this one.
    .filter((failed) => sent.has(failed.requestId) && isBroken(failed, fromS));
  const main = documentRequest(events)?.requestId;
  return {
    broken: broken.length,
    isDocumentBroken: broken.some(({ requestId }) => requestId === main),
    underWay: [...sent].filter((id) => !ended.has(id)).length,
  };
}

/** When a navigation began, by the clock of the events; infinity: it has not. */
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

/** Hosts that no server has, and answers that are kept from the page, which pages ask for on any path. */
const NOT_OF_PATH = /ERR_NAME_NOT_RESOLVED|ERR_BLOCKED_BY|ERR_ABORTED/;

/** What the page gave up itself, or the browser did not let through, no path has broken. */
function isBroken(failed: Protocol.Network.LoadingFailedEvent, fromS: number): boolean {
  const { timestamp, canceled, blockedReason, corsErrorStatus, errorText } = failed;
  const isOwn = canceled || blockedReason || corsErrorStatus || NOT_OF_PATH.test(errorText);
  return timestamp >= fromS && !isOwn;
}

function requestIdOf({ params }: CdpEvent): string {
  return (params as { requestId: string }).requestId;
}
