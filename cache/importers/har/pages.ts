import type { ImportLimits } from '../../limits.ts';
import { cacheUrl } from '../file-url.ts';
import { readHarFile } from '../har-file.ts';
import type { ArchivePage } from '../importer.ts';
import { below, listOf, textOf } from '../json.ts';
import { shownUrl } from './page.ts';

/**
 * The pages of a HAR: of each that it names the first HTML, or all HTML where it names none.
 * @throws ImportError when it is no HAR, or is larger than the limits say
 */
export async function harPages(
  archive: string,
  limits: Readonly<ImportLimits>,
): Promise<ArchivePage[]> {
  const { log } = await readHarFile(archive, limits);
  const titles = new Map(
    listOf(below(log, 'pages')).map((page) => [below(page, 'id'), textOf(below(page, 'title'))]),
  );
  const pages = new Map<unknown, ArchivePage>();
  for (const entry of listOf(below(log, 'entries'))) {
    const document = shownUrl(entry);
    if (document === null) continue;
    const page = below(entry, 'pageref') ?? cacheUrl(document);
    if (!pages.has(page)) pages.set(page, { document, title: titles.get(page) ?? null });
  }
  return [...pages.values()];
}
