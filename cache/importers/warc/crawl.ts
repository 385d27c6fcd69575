import { Readable } from 'node:stream';
import { ImportError } from '../../import-error.ts';
import { type ImportLimits, importBudget } from '../../limits.ts';
import type { ArchiveFolder } from '../archive-folder.ts';
import { isGzip } from '../file-head.ts';
import type { ArchivePage } from '../importer.ts';
import { below } from '../json.ts';
import { type ArchiveContent, namedPages } from '../recording-of.ts';
import { shown } from '../shown.ts';
import { warcCollector } from './exchanges.ts';
import { warcRecords } from './records.ts';
import { pageOf } from './warc-fields.ts';

/** How WARCs are called. */
export const WARC_NAME = /\.warc(\.gz)?$/i;

/** Most bytes of what says which pages are in the archive: some hundred for each page. */
const PAGE_LIST_BYTES = 16 * 1024 * 1024;

/**
 * All WARCs of one crawl, with the lists of pages that may lie beside them.
 * @param archive what messages call it
 * @throws ImportError when one is damaged, or they pass a limit together
 */
export async function readCrawl(
  archive: string,
  files: ArchiveFolder,
  limits: Readonly<ImportLimits>,
): Promise<ArchiveContent> {
  const budget = importBudget(archive, limits);
  const collector = warcCollector(budget);
  for (const name of files.names.filter((each) => WARC_NAME.test(each)).sort()) {
    const packed = await files.read(name, limits.fileBytes);
    const warc = { packed: Readable.from([packed]), isPacked: isGzip(packed) };
    for await (const record of warcRecords(`${archive}/${shown(name)}`, warc, budget)) {
      collector.add(record);
    }
  }
  const notes: string[] = [];
  const listed = await listedPages(archive, files, notes, limits);
  const content = collector.content();
  const [main] = listed;
  if (main && namedPages({ ...content, pages: [main] }).length === 0) {
    notes.push(`${archive} names ${shown(main.document)} as its page, which it does not have`);
  }
  return {
    ...content,
    notes: [...notes, ...content.notes],
    pages: [...listed, ...(content.pages ?? [])],
  };
}

/** The page that the archive's description names, then those of its list. */
async function listedPages(
  archive: string,
  { names, read }: ArchiveFolder,
  notes: string[],
  limits: Readonly<ImportLimits>,
): Promise<ArchivePage[]> {
  const textOf = async (name: string) =>
    (await read(name, Math.min(PAGE_LIST_BYTES, limits.fileBytes))).toString('utf8');
  const pages: (ArchivePage | null)[] = [];
  try {
    if (names.includes('datapackage.json')) {
      const about: unknown = JSON.parse(await textOf('datapackage.json'));
      // The standard's name, and py-wacz's.
      for (const name of ['mainPageUrl', 'mainPageURL'])
        pages.push(pageOf({ url: below(about, name) }));
    }
    if (names.includes('pages/pages.jsonl')) {
      const lines = (await textOf('pages/pages.jsonl')).split('\n');
      pages.push(
        ...lines.filter((line) => line.trim() !== '').map((line) => pageOf(JSON.parse(line))),
      );
    }
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof SyntaxError)) throw error;
    const why = shown(error.message, 160);
    notes.push(`${archive}: its list of pages cannot be read (${why}), so the WARCs decide`);
  }
  return pages.filter((page) => page !== null);
}
