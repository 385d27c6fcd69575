import { createHash } from 'node:crypto';
import type { Resource } from '../../../cache/manifest.ts';
import type { Har, HarEntry } from '../../../clients/har/har.ts';

/** Responses with a status, complete or not. */
export function answeredEntries(har: Har): HarEntry[] {
  return har.log.entries.filter((entry) => entry.response.status > 0);
}

/** Key by which two requests are the same. */
export function keyOf({ method, url }: Pick<Resource, 'url'> & { method: string }): string {
  return `${method} ${url.replace(/#.*$/, '')}`;
}

/** Hex SHA-256 over the requests that were sent, each once. */
export function requestSetSha256(har: Har): string {
  const sent = har.log.entries.filter(({ _fromCache }) => _fromCache === undefined);
  const keys = new Set(sent.map(({ request }) => keyOf(request)).filter(isNotFavicon));
  return createHash('sha256')
    .update([...keys].sort().join('\n'))
    .digest('hex');
}

/** Whether a request is part of the page. Chromium requests favicon.ico after the load event, so a load has it by chance. */
export function isNotFavicon(key: string): boolean {
  return !/^GET https:\/\/[^/]+\/favicon\.ico$/.test(key);
}
