import { readHttpDate } from '../../cache/http-date.ts';

/** Recorded validators of a response; null: absent. */
interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Request headers by their names in lower case. */
export type RequestHeaders = (name: string) => string | undefined;

/** An entity tag without its weak prefix; some servers omit the quotes. */
const ENTITY_TAG = /(?:W\/)?("[^"]*"|[^\s",](?:[^",]*[^\s",])?)/g;

/** Whether the browser has the response already (RFC 9110, sections 13.1.2 and 13.1.3). */
export function isNotModified(header: RequestHeaders, { etag, lastModified }: Validators): boolean {
  const known = header('if-none-match');
  if (known !== undefined) {
    if (!etag) return false;
    const tags = Array.from(known.matchAll(ENTITY_TAG), ([, tag]) => tag);
    return known.trim() === '*' || tags.includes(etag.replace(/^W\//, ''));
  }
  const since = header('if-modified-since');
  return since !== undefined && lastModified !== null && isNotBefore(since, lastModified);
}

/** Whether a range may be answered with a part (RFC 9110, section 13.1.5). */
export function isSameForRange(
  header: RequestHeaders,
  { etag, lastModified }: Validators,
): boolean {
  const condition = header('if-range');
  if (condition === undefined) return true;
  if (readHttpDate(condition) === null) return condition === etag && !etag.startsWith('W/');
  return lastModified !== null && isNotBefore(condition, lastModified);
}

/** Whether a date is not before the recorded Last-Modified, which is sent shifted to a later date each time. */
function isNotBefore(text: string, lastModified: string): boolean {
  const sentS = readHttpDate(text);
  const recordedS = readHttpDate(lastModified);
  return sentS !== null && recordedS !== null && sentS >= recordedS;
}
