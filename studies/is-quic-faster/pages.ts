import { PACKAGE_PAGES } from '../../cache/packages/package-pages.ts';
import { type PageShape, readShapes } from '../../cache/shapes/shapes.ts';

interface PageSize {
  site: string;
  hosts: number;
  /** Of all its objects on the wire, without headers. */
  wireBytes: number;
}

/** Pages of about one size, halved by the number of hosts; the middle page of each half is measured. */
interface SizeQuarter {
  fewHosts: string;
  manyHosts: string;
}

/**
 * The generated pages of the measurement. The 30 shapes whose load times were published in 2018 are put in order of their bytes and cut
 * into quarters; each quarter is put in order of its hosts and cut into halves; the middle page of each half is taken, of two the
 * latter. Where two are alike, bytes and then names decide.
 * @throws Error when there are fewer than two pages to a quarter
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
      throw new Error(`${pages.length} pages: expected two or more to each quarter`);
    }
    return { fewHosts, manyHosts };
  });
}

/** Every real page that ships with the project, and the generated pages of the rule. */
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

/** A list cut into parts as equal as can be, in its order. */
function parts<Item>(items: readonly Item[], count: number): Item[][] {
  const end = (part: number) => Math.floor((part * items.length) / count);
  return Array.from({ length: count }, (_, part) => items.slice(end(part), end(part + 1)));
}
