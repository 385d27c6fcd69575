import type { WaterfallRequest } from './waterfall-load.ts';

/** The requests of a load that get a row of their own, and those that share one. */
export interface ShownRequests {
  /** In order of their start. */
  own: WaterfallRequest[];
  /** In order of their start; empty when every request has a row. */
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
