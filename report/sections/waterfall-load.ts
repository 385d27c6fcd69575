import type { HarFile, HarFileRequest } from './har-file.ts';

/** One load as a waterfall shows it. All moments are in ms since navigationStart. */
export interface WaterfallLoad {
  pageLoadMs: number;
  /** In order of their moments. */
  marks: WaterfallMark[];
  /** In order of their start, or of the rows that they have. */
  requests: WaterfallRequest[];
}

export interface WaterfallMark {
  name: 'FCP' | 'LCP' | 'DCL' | 'load';
  atMs: number;
}

export interface WaterfallRequest {
  /** Path and query, with the host before it when that is not the document's. */
  address: string;
  protocol: string;
  /** 0 without a response. */
  status: number;
  wireBytes: number | null;
  fromCache: boolean;
  startMs: number;
  endMs: number;
  /** Without gaps from start to end; phases that did not take place are not in it. */
  spans: WaterfallSpan[];
}

/** Whether a response says that it is an error, or is missing. */
export function isError({
  status,
  fromCache,
}: Pick<WaterfallRequest, 'status' | 'fromCache'>): boolean {
  return status >= 400 || (status === 0 && !fromCache);
}

interface WaterfallSpan {
  phase: PhaseName;
  startMs: number;
  endMs: number;
}

/** When something happened in the load, in ms since navigationStart: the load's metrics by their names. */
type MomentsMs = Readonly<Record<string, number | null>> & { pageLoadMs: number };

/**
 * Puts the requests of a HAR and the moments of the page on one clock. A HAR starts with the document's request, the page's
 * clock some ms earlier with navigationStart; the load event is in both and tells by how much they differ.
 */
export function waterfallLoad(har: HarFile, moments: MomentsMs): WaterfallLoad {
  const offsetMs = har.onLoadMs === null ? 0 : moments.pageLoadMs - har.onLoadMs;
  const mainHost = URL.parse(har.requests[0]?.url ?? '')?.host ?? '';
  const marks = [
    { name: 'FCP' as const, atMs: moments.firstContentfulPaintMs ?? null },
    { name: 'LCP' as const, atMs: moments.largestContentfulPaintMs ?? null },
    { name: 'DCL' as const, atMs: moments.domContentLoadedMs ?? null },
    { name: 'load' as const, atMs: moments.pageLoadMs },
  ];
  return {
    pageLoadMs: moments.pageLoadMs,
    marks: marks
      .flatMap(({ name, atMs }) => (atMs === null ? [] : [{ name, atMs }]))
      .sort((a, b) => a.atMs - b.atMs),
    requests: har.requests.map((request) => requestOf(request, offsetMs, mainHost)),
  };
}

function requestOf(request: HarFileRequest, offsetMs: number, mainHost: string): WaterfallRequest {
  const { url, protocol, status, wireBytes, fromCache, queuedMs, blockedMs } = request;
  // A HAR tells starts to the millisecond, so that one can seem to lie just before navigationStart.
  const startMs = Math.max(0, request.startMs - queuedMs + offsetMs);
  const durationsMs: [PhaseName, number][] = [
    ['held', queuedMs + blockedMs],
    ['lookUp', request.dnsMs],
    ['connect', request.connectMs],
    ['wait', request.waitMs],
    ['receive', request.receiveMs],
  ];
  let endMs = startMs;
  const spans: WaterfallSpan[] = [];
  for (const [phase, durationMs] of durationsMs) {
    if (durationMs <= 0) continue;
    spans.push({ phase, startMs: endMs, endMs: endMs + durationMs });
    endMs += durationMs;
  }
  const address = addressOf(url, mainHost);
  return { address, protocol, status, wireBytes, fromCache, startMs, endMs, spans };
}

function addressOf(url: string, mainHost: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return `${host === mainHost ? '' : host}${pathname}${search}`;
}

/** A stretch of a request's life, in the order in which they follow one another. */
export type PhaseName = 'held' | 'lookUp' | 'connect' | 'wait' | 'receive';

/** The phases in their order, as legends and tables name them. */
export const PHASES: readonly { name: PhaseName; label: string; heading: string }[] = [
  { name: 'held', label: 'held back by the browser (queued, blocked)', heading: 'Held back' },
  { name: 'lookUp', label: 'looking up the name', heading: 'Name' },
  { name: 'connect', label: 'connecting, with TLS or QUIC', heading: 'Connecting' },
  { name: 'wait', label: 'sent, waiting for the response', heading: 'Waiting' },
  { name: 'receive', label: 'receiving', heading: 'Receiving' },
];

/** A phase that took less than this is not worth a bar or a column: looking up a name that is known takes some microseconds. */
export const LEAST_MS = 0.5;

export function phasesOfRequests(
  requests: readonly { spans: readonly { phase: PhaseName; startMs: number; endMs: number }[] }[],
): typeof PHASES {
  const found = new Set(
    requests.flatMap(({ spans }) =>
      spans.flatMap(({ phase, startMs, endMs }) => (endMs - startMs >= LEAST_MS ? [phase] : [])),
    ),
  );
  return PHASES.filter(({ name }) => found.has(name));
}

/**
 * The loads of one page with their requests in one order, so that rows can be compared: that of the first load. Requests that it
 * lacks follow the ones that they followed in their own load.
 */
export function inOneOrder(loads: readonly WaterfallLoad[]): WaterfallLoad[] {
  const order: string[] = [];
  const keyed = loads.map(({ requests }) => {
    const times = new Map<string, number>();
    return requests.map((request) => {
      const time = (times.get(request.address) ?? 0) + 1;
      times.set(request.address, time);
      return { request, key: `${time} ${request.address}` };
    });
  });
  for (const own of keyed) {
    let at = 0;
    for (const { key } of own) {
      const found = order.indexOf(key);
      if (found === -1) order.splice(at, 0, key);
      at = (found === -1 ? at : found) + 1;
    }
  }
  const rank = new Map(order.map((key, index) => [key, index]));
  return loads.map((load, index) => ({
    ...load,
    requests: (keyed[index] ?? [])
      .toSorted((a, b) => (rank.get(a.key) ?? 0) - (rank.get(b.key) ?? 0))
      .map(({ request }) => request),
  }));
}

export interface ShownRequests {
  /** In the order of the rows. */
  own: WaterfallRequest[];
  /** In the same order; empty when every request has a row. */
  folded: WaterfallRequest[];
}

/** Rows for the first request, which is the document's, and for those that took longest; the others are folded into one. */
export function shownRequests(
  requests: readonly WaterfallRequest[],
  mostRows: number,
): ShownRequests {
  if (requests.length <= mostRows) return { own: [...requests], folded: [] };
  const [document, ...others] = requests;
  const longest = new Set(
    others
      .toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
      // One row is the document's, one that of the folded ones.
      .slice(0, Math.max(0, mostRows - 2)),
  );
  return {
    own: requests.filter((request) => request === document || longest.has(request)),
    folded: others.filter((request) => !longest.has(request)),
  };
}

/** When at least one of the requests was under way, as spans that neither touch nor overlap. */
export function busySpans(
  requests: readonly Pick<WaterfallRequest, 'startMs' | 'endMs'>[],
): { startMs: number; endMs: number }[] {
  const spans: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of requests.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = spans.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else spans.push({ startMs, endMs });
  }
  return spans;
}
