import { beyondRoundTripMs } from '../../clients/har/server-wait.ts';
import type { HarFile, HarFileRequest } from './har-file.ts';

/** One load in a waterfall. All moments are in ms since navigationStart. */
export interface WaterfallLoad {
  pageLoadMs: number;
  /** In order of their moments. */
  marks: WaterfallMark[];
  /** In order of their start, or of their rows. */
  requests: WaterfallRequest[];
}

export interface WaterfallMark {
  name: 'FCP' | 'LCP' | 'DCL' | 'load';
  atMs: number;
}

export interface WaterfallRequest {
  /** Path and query, after the host if that differs from the document's. */
  address: string;
  protocol: string;
  /** 0 without a response. */
  status: number;
  wireBytes: number | null;
  fromCache: boolean;
  startMs: number;
  endMs: number;
  /** Without gaps from start to end, and without phases that did not take place. */
  spans: WaterfallSpan[];
}

/** Whether a response has an error status or is missing. */
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

/** The load's metrics by their names, in ms since navigationStart. */
type MomentsMs = Readonly<Record<string, number | null>> & { pageLoadMs: number };

/**
 * Puts the requests of a HAR and the moments of the page on one clock. A HAR starts with the document's request, the page's
 * clock some ms earlier with navigationStart; the load event, which is in both, gives the offset.
 * @param rttMs measured round-trip time of the path; null: unknown
 */
export function waterfallLoad(
  har: HarFile,
  moments: MomentsMs,
  rttMs: number | null = null,
): WaterfallLoad {
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
    requests: har.requests.map((request) => requestOf(request, { offsetMs, mainHost, rttMs })),
  };
}

function requestOf(
  request: HarFileRequest,
  { offsetMs, mainHost, rttMs }: { offsetMs: number; mainHost: string; rttMs: number | null },
): WaterfallRequest {
  const { url, protocol, status, wireBytes, fromCache, queuedMs, blockedMs } = request;
  // A HAR has starts in whole ms, so one can seem to precede navigationStart.
  const startMs = Math.max(0, request.startMs - queuedMs + offsetMs);
  const longerMs = beyondRoundTripMs(request.waitMs, request.serverMs, rttMs);
  const durationsMs: [PhaseName, number][] = [
    ['held', queuedMs + blockedMs],
    ['lookUp', request.dnsMs],
    ['connect', request.connectMs],
    ['wait', request.waitMs - longerMs],
    ['longer', longerMs],
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

/** Phases of a request, in their order. */
export type PhaseName = 'held' | 'lookUp' | 'connect' | 'wait' | 'longer' | 'receive';

/** The phases for legends and tables. */
export const PHASES: readonly { name: PhaseName; label: string; heading: string }[] = [
  { name: 'held', label: 'held back by the browser (queued, blocked)', heading: 'Held back' },
  { name: 'lookUp', label: 'looking up the name', heading: 'Name' },
  { name: 'connect', label: 'connecting, with TLS or QUIC', heading: 'Connecting' },
  { name: 'wait', label: 'sent, waiting for the response', heading: 'Waiting' },
  {
    name: 'longer',
    label: 'waiting beyond a round trip: the server, or earlier responses',
    heading: 'Beyond a round trip',
  },
  { name: 'receive', label: 'receiving', heading: 'Receiving' },
];

/** Shorter phases get no bar and no column: looking up a known name takes some microseconds. */
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
 * Puts the requests of several loads of one page into one order, so that rows can be compared: that of the first load. Its
 * missing requests follow the ones that they followed in their own load.
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

/** Rows for the document's request and for the longest ones; the rest is folded into one row. */
export function shownRequests(
  requests: readonly WaterfallRequest[],
  mostRows: number,
): ShownRequests {
  if (requests.length <= mostRows) return { own: [...requests], folded: [] };
  const [document, ...further] = requests;
  const longest = new Set(
    further
      .toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
      // One row is the document's, one the folded row.
      .slice(0, Math.max(0, mostRows - 2)),
  );
  return {
    own: requests.filter((request) => request === document || longest.has(request)),
    folded: further.filter((request) => !longest.has(request)),
  };
}

/** Spans in which at least one request was under way; they neither touch nor overlap. */
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
