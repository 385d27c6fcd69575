import { PACKAGE_PAGES } from '../../cache/packages/package-pages.ts';
import { type PageShape, readShapes } from '../../cache/shapes/shapes.ts';

interface PageSize {
  site: string;
  hosts: number;
  /** Total of its objects on the wire, without headers. */
  wireBytes: number;
}

/** Pages of about one size, halved by the number of hosts; the middle page of each half is measured. */
interface SizeQuarter {
  fewHosts: string;
  manyHosts: string;
}

/**
 * The generated pages of the measurement. Sorts the 30 shapes with load times published in 2018 by bytes and cuts them into quarters,
 * sorts each quarter by hosts and cuts it into halves, and takes the centre page of each half, of two the latter. Ties: bytes, then
 * names.
 * @throws Error with fewer than two pages in a quarter
 */
export function sizeQuarters(shapes: readonly PageShape[] = readShapes()): SizeQuarter[] {
  const pages = shapes
    .filter(({ inPublishedResults }) => inPublishedResults)
    .map(sizeOf)
    .toSorted((a, b) => a.wireBytes - b.wireBytes || byName(a, b));
  return parts(pages, 4).map((quarter) => {
    const byHosts = quarter.toSorted(
      (a, b) => a.hosts - b.hosts || a.wireBytes - b.wireBytes || byName(a, b),
    );
    const [fewHosts, manyHosts] = parts(byHosts, 2).map(
      (half) => half[Math.floor(half.length / 2)]?.site,
    );
    if (fewHosts === undefined || manyHosts === undefined) {
      throw new Error(`${pages.length} pages: expected at least two in each quarter`);
    }
    return { fewHosts, manyHosts };
  });
}

/** Every real page that is part of the project, and the generated pages of the rule. */
export function pagesOfRule(): { real: string[]; quarters: SizeQuarter[] } {
  return { real: PACKAGE_PAGES.map(({ site }) => site).toSorted(), quarters: sizeQuarters() };
}

export function sizeOf({ site, hosts, objects }: PageShape): PageSize {
  const wireBytes = objects.reduce((sum, { bytes, wireBytes }) => sum + (wireBytes ?? bytes), 0);
  return { site, hosts, wireBytes };
}

function byName(a: PageSize, b: PageSize): number {
  return a.site < b.site ? -1 : 1;
}

/** Cuts a list into consecutive parts of about equal length. */
function parts<Item>(items: readonly Item[], count: number): Item[][] {
  const end = (part: number) => Math.floor((part * items.length) / count);
  return Array.from({ length: count }, (_, part) => items.slice(end(part), end(part + 1)));
}
