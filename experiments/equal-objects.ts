import type { EqualObjects } from '../cache/objects-site.ts';
import { bytesOfSize } from '../ground/options/sizes.ts';
import { UsageError } from '../ground/system/errors.ts';

/** Chromium decodes and lays out every one of them. */
const MOST_OBJECTS = 1000;
/** The smallest image that browsers decode, and the largest that is still an object of a page. */
const OBJECT_BYTES: [least: number, most: number] = [100, 10_000_000];
/** All that a page holds: it is made in memory. */
const MOST_BYTES = 200_000_000;

/**
 * What is on the page that a name like `objects-100x10kB` or `objects-100x10kB-in-200kB` (the document's size) stands for; null: it is
 * the name of another site.
 * @throws UsageError for numbers of which there is no page
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
