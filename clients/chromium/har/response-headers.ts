import { createHash } from 'node:crypto';
import type { HarEntry, HarPair, HarResponse } from './har.ts';

/** Names of all header fields of these responses, in lower case, sorted, each once. */
export function responseHeaderNames(entries: readonly HarEntry[]): string[] {
  const names = entries.flatMap(({ response }) => response.headers.map(fieldName));
  return [...new Set(names)].sort();
}

/**
 * Hex SHA-256 over method, URL, status and header fields of every response. What HTTP calls the same has the same one: the case of
 * names and the order of fields with different names do not matter, nor whether values of one name came in one line or in
 * several (RFC 9110, section 5.3; `set-cookie` apart), nor the order of the responses. Left out are `date`, which is the
 * moment, the dates that servers move along with it, what HTTP/1.1 alone needs for its connection, and the length of what has no body by its status: no server may send
 * it with 204 (RFC 9110, section 8.6), but Chromium adds a 0 of its own to such a response of HTTP/2.
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

/** Servers move the dates in these along with the calendar, so that what was fresh when it was recorded is fresh. */
const SHIFTED = new Set(['expires', 'last-modified', 'set-cookie']);

const HTTP_DATE = /[A-Za-z]{3,9}, \d\d[ -][A-Z][a-z]{2}[ -]\d{4} [\d:]{8} GMT/g;

const WITHOUT_BODY = new Set([204, 304]);

/** Header fields that two servers can be compared by; values of one name are joined, those of `set-cookie` are a list. */
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
