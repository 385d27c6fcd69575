import type { Resource } from '../../../cache/manifest.ts';
import type { Har, HarEntry } from '../../../clients/chromium/har/har.ts';

/** Everything that came with a status, whole or not. */
export function answered(har: Har): HarEntry[] {
  return har.log.entries.filter((entry) => entry.response.status > 0);
}

/** What a request is known by: two with the same key are the same request. */
export function keyOf({ method, url }: Pick<Resource, 'url'> & { method: string }): string {
  return `${method} ${url.replace(/#.*$/, '')}`;
}

// Chromium asks for it some time after the load event: a matter of chance whether a load sees it.
export function isNoFavicon(key: string): boolean {
  return !/^GET https:\/\/[^/]+\/favicon\.ico$/.test(key);
}
