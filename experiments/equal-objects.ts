import type { EqualObjects } from '../cache/objects-site.ts';
import { bytesOfSize } from '../ground/options/sizes.ts';
import { UsageError } from '../ground/system/errors.ts';

/** Limited because Chromium decodes and lays out all of them. */
const MOST_OBJECTS = 1000;
/** From the smallest image that browsers decode to the largest plausible object of a page. */
const OBJECT_BYTES: [least: number, most: number] = [100, 10_000_000];
/** Limit of a whole page, which is made in memory. */
const MOST_BYTES = 200_000_000;

/**
 * Parses names like `objects-100x10kB` and `objects-100x10kB-in-200kB` (the document's size); null: another site's name.
 * @throws UsageError for numbers out of range
 */
export function equalObjectsOf(site: string): EqualObjects | null {
  const [, count = '', size = '', documentSize] =
    /^objects-(\d+)x([^-]+)(?:-in-([^-]+))?$/.exec(site) ?? [];
  if (count === '') return null;
  const objects = Number(count);
  const objectBytes = bytesOfSize(size) ?? Number.NaN;
  const documentBytes =
    documentSize === undefined ? null : (bytesOfSize(documentSize) ?? Number.NaN);
  const [leastBytes, mostBytes] = OBJECT_BYTES;
  const isPage =
    objects >= 1 &&
    objects <= MOST_OBJECTS &&
    objectBytes >= leastBytes &&
    objectBytes <= mostBytes &&
    objects * objectBytes + (documentBytes ?? 0) <= MOST_BYTES;
  if (isPage) return { objects, objectBytes, documentBytes };
  throw new UsageError(
    `--sites ${site}: expected objects-NxSIZE or objects-NxSIZE-in-SIZE with 1 to ${MOST_OBJECTS} objects of 100B to 10MB, in all at most 200MB, for example objects-100x10kB or objects-100x10kB-in-200kB.`,
  );
}
