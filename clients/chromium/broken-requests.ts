import type { Protocol } from 'puppeteer-core';
import type { CdpEvent } from './har/events.ts';

/** What an event of the path did to the requests of a page. */
export interface BrokenRequests {
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
  const ended = new Set<string>();
  let broken = 0;
  let isDocumentBroken = false;
  const main = documentRequest(events)?.requestId;
  for (const { method, params } of events) {
    const { requestId } = params as { requestId?: string };
    if (requestId === undefined) continue;
    if (method === 'Network.loadingFinished') ended.add(requestId);
    if (method !== 'Network.loadingFailed') continue;
    ended.add(requestId);
    if (!isBroken(params as Protocol.Network.LoadingFailedEvent, fromS)) continue;
    broken += 1;
    isDocumentBroken ||= requestId === main;
  }
  const sent = events.filter(({ method }) => method === 'Network.requestWillBeSent');
  const underWay = new Set(sent.map(requestIdOf).filter((id) => !ended.has(id)));
  return { broken, isDocumentBroken, underWay: underWay.size };
}

/** When a navigation began, by the clock of the events; infinity: it has not. */
export function beganS(events: readonly CdpEvent[]): number {
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

/** What the page gave up itself, or the browser did not let through, no path has broken. */
function isBroken(failed: Protocol.Network.LoadingFailedEvent, fromS: number): boolean {
  const { timestamp, canceled, blockedReason, corsErrorStatus } = failed;
  return timestamp >= fromS && !canceled && !blockedReason && !corsErrorStatus;
}

function requestIdOf({ params }: CdpEvent): string {
  return (params as { requestId: string }).requestId;
}
