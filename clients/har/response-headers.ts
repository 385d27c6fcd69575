import { createHash } from 'node:crypto';
import type { HarEntry, HarPair, HarResponse } from './har.ts';

/** Names of all header fields of these responses: lower case, sorted, unique. */
export function responseHeaderNames(entries: readonly HarEntry[]): string[] {
  const names = entries.flatMap(({ response }) => response.headers.map(fieldName));
  return [...new Set(names)].sort();
}

/**
 * Hex SHA-256 over method, URL, status and header fields of every response. Equivalent HTTP gives the same hash: it ignores the case
 * and order of names, whether repeated values share a line (RFC 9110, section 5.3; except `set-cookie`), and the order of responses.
 * Excluded are `date`, dates that servers shift along with it, connection fields of HTTP/1.1, and the length of a response whose
 * status has no body: no server may send it with 204 (RFC 9110, section 8.6), but Chromium adds 0 to such a response of HTTP/2.
 */
export function responseHeadersSha256(entries: readonly HarEntry[]): string {
  const lines = entries.map(({ request, response }) =>
    JSON.stringify([
      request.method,
      request.url,
      response.status,
      [...fieldsOf(response)].sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

const NOT_OF_THE_PAGE = new Set(['date', 'connection', 'keep-alive']);

/** Servers shift the dates in these fields, so that what was fresh when recorded is fresh when replayed. */
const SHIFTED = new Set(['expires', 'last-modified', 'set-cookie']);

const HTTP_DATE = /[A-Za-z]{3,9}, \d\d[ -][A-Z][a-z]{2}[ -]\d{4} [\d:]{8} GMT/g;

const WITHOUT_BODY = new Set([204, 304]);

/** Comparable header fields; repeated values are joined, except those of `set-cookie`. */
export function fieldsOf({
  status,
  headers,
}: Pick<HarResponse, 'status' | 'headers'>): Map<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, pairs] of Map.groupBy(headers, fieldName)) {
    if (NOT_OF_THE_PAGE.has(name)) continue;
    if (name === 'content-length' && WITHOUT_BODY.has(status)) continue;
    const values = pairs.map(({ value }) =>
      SHIFTED.has(name) ? value.trim().replace(HTTP_DATE, '<date>') : value.trim(),
    );
    fields.set(name, name === 'set-cookie' ? values : values.join(', '));
  }
  return fields;
}

function fieldName({ name }: HarPair): string {
  return name.toLowerCase();
}
