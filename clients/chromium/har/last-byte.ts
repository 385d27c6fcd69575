import type { Har } from './har.ts';
import { hasWholeResponse } from './whole-response.ts';

/**
 * When the last byte of the last response came, in ms after the main document was asked for; null without a response.
 * Requests that the page makes after its load event, while the network is still watched, are in it.
 */
export function lastByteMs(har: Har): number | null {
  const ends = endsOf(har).map(({ endMs }) => endMs);
  return ends.length === 0 ? null : Math.max(...ends);
}

/**
 * When the last byte of each of these came, in their order, in ms after the main document was asked for, to a tenth of one; null:
 * it never did.
 */
export function finishTimesMs(
  har: Har,
  resources: readonly { url: string; method: string }[],
): (number | null)[] {
  const ends = new Map(endsOf(har).map(({ request, endMs }) => [keyOf(request), endMs]));
  return resources.map((resource) => {
    const endMs = ends.get(keyOf(resource));
    return endMs === undefined ? null : Math.round(10 * endMs) / 10;
  });
}

function keyOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${url}`;
}

/** What came over the network, and when it was there. */
function endsOf(har: Har) {
  const [page] = har.log.pages;
  if (page === undefined) return [];
  const startMs = Date.parse(page.startedDateTime);
  return har.log.entries
    .filter((entry) => hasWholeResponse(entry) && entry._fromCache === undefined)
    .map(({ request, startedDateTime, time }) => ({
      request,
      endMs: Date.parse(startedDateTime) - startMs + time,
    }));
}
