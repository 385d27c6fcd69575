import type { RecordedSite } from '../../../../cache/site-of-recording.ts';

/**
 * Results of every bicycle shop fixture, by any author: wire and decoded bytes of each response.
 */
export const BICYCLE_SHOP = [
  '301 document https://shop.test/ 0 0',
  '200 document https://www.shop.test/ 249 928',
  '200 stylesheet https://www.shop.test/style.css 43 43',
  '200 script https://cdn.shop.test/shop.js?v=2 45 45',
  '200 image https://www.shop.test/wheel.gif 35 35',
].sort();

/** A page in comparable words, in an order that does not depend on the archive's. */
export function inWords({ manifest }: RecordedSite): string[] {
  return manifest.resources
    .map(({ status, type, url, wireBytes, decodedBytes }) =>
      [status, type, url, wireBytes, decodedBytes].join(' '),
    )
    .sort();
}

/** The headers of the document. */
export function documentHeaders({ manifest }: RecordedSite): [string, string][] {
  return manifest.resources.find(({ url }) => url === 'https://www.shop.test/')?.headers ?? [];
}
