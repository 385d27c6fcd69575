import type { Har } from './har.ts';
import { hasWholeResponse } from './whole-response.ts';

/**
 * Time of the last byte of the last response, in ms since the request for the main document; null: no response. Includes
 * requests after the load event while the network was still watched.
 */
export function lastByteMs(har: Har): number | null {
  const ends = endsOf(har).map(({ endMs }) => endMs);
  return ends.length === 0 ? null : Math.max(...ends);
}

/**
 * Times of the last bytes of these resources, in ms since the request for the main document, rounded to 0.1 ms; null: no
 * complete response.
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

/** Network responses and their end times. */
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
