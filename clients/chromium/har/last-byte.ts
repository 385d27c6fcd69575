import { isAnswered } from './answered.ts';
import type { Har } from './har.ts';

/**
 * When the last byte of the last response came, in ms after the main document was asked for; null without a response.
 * Requests that the page makes after its load event, while the network is still watched, are in it.
 */
export function lastByteMs(har: Har): number | null {
  const [page] = har.log.pages;
  if (page === undefined) return null;
  const startMs = Date.parse(page.startedDateTime);
  const ends = har.log.entries
    .filter((entry) => isAnswered(entry) && entry._fromCache === undefined)
    .map(({ startedDateTime, time }) => Date.parse(startedDateTime) - startMs + time);
  return ends.length === 0 ? null : Math.max(...ends);
}
