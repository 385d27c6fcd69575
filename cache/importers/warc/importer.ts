import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { shellLine } from '../../../ground/system/shell-word.ts';
import { ImportError, shown } from '../../import-error.ts';
import { type ImportLimits, importBudget } from '../../limits.ts';
import {
  type ArchiveFolder,
  headOf,
  isGzip,
  openFolder,
  rawHeadOf,
  readInputFile,
} from '../archive-file.ts';
import type { ArchivePage, PageImporter } from '../importer.ts';
import { below } from '../json.ts';
import { type ArchiveContent, namedPages, readersOf } from '../recording-of.ts';
import { isZip, openZip, zipHasName } from '../zip-archive.ts';
import { warcCollector } from './exchanges.ts';
import { pageOf, warcRecords } from './records.ts';

export const WARC: PageImporter = {
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return holdsWarcs(archive);
    return (
      WARC_NAME.test(archive) ||
      head.toString('latin1', 0, 5) === 'WARC/' ||
      isArc(head) ||
      isZstd(archive, head)
    );
  },
  ...readersOf('a WARC', contentOf),
};

/** Whether a folder has WARCs in a crawler's layout: directly, or in `archive` with a list of pages. */
async function holdsWarcs(folder: string): Promise<boolean> {
  const places = [folder, path.join(folder, 'archive')].map((place) =>
    readdir(place, { withFileTypes: true }).catch(() => []),
  );
  const entries = (await Promise.all(places)).flat();
  return entries.some((entry) => entry.isFile() && WARC_NAME.test(entry.name));
}

/** A WARC compressed by Zstandard (Archive Team); its first frame may be a dictionary to skip. */
function isZstd(archive: string, head: Buffer): boolean {
  const start = head.toString('hex', 0, 4);
  return start === '28b52ffd' || (/\.warc\.zst$/i.test(archive) && /^5.2a4d18$/.test(start));
}

/** ARC, the predecessor of WARC. */
function isArc(head: Buffer): boolean {
  return head.toString('latin1', 0, 11) === 'filedesc://';
}

async function contentOf(archive: string, limits: ImportLimits): Promise<ArchiveContent> {
  const file = path.basename(archive);
  if ((await stat(archive)).isDirectory()) {
    return readCrawl(file, await openFolder(archive, limits), limits);
  }
  const head = (await headOf(archive)) ?? Buffer.alloc(0);
  if (isZstd(archive, head)) {
    const unpacked = file.replace(/\.zst$/i, '');
    throw new ImportError(
      `${archive} is compressed by Zstandard, which is not supported. Decompress it: zstd -d ${shellLine([file, '-o', unpacked === file ? `${file}.warc` : unpacked])}`,
    );
  }
  if (isArc(head)) {
    throw new ImportError(
      `${archive} is an ARC, the predecessor of WARC, which is not supported. Convert it: pip install warcio; warcio recompress ${shellLine([file, file.replace(/(\.arc)?(\.gz)?$/i, '.warc.gz')])}`,
    );
  }
  const budget = importBudget(archive, limits);
  const collector = warcCollector(budget);
  const isPacked = isGzip((await rawHeadOf(archive)) ?? new Uint8Array());
  const warc = { packed: createReadStream(archive), isPacked };
  for await (const record of warcRecords(file, warc, budget)) collector.add(record);
  return collector.content();
}

const WARC_NAME = /\.warc(\.gz)?$/i;

/** Limit of a list of pages: some hundred bytes for each page. */
const PAGE_LIST_BYTES = 16 * 1024 * 1024;

/**
 * All WARCs of one crawl, with its lists of pages.
 * @param archive name in messages
 * @throws ImportError when one is damaged, or together they exceed a limit
 */
async function readCrawl(
  archive: string,
  files: ArchiveFolder,
  limits: ImportLimits,
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
    notes.push(`${archive} names the page ${shown(main.document)}, which it does not have`);
  }
  return {
    ...content,
    notes: [...notes, ...content.notes],
    pages: [...listed, ...(content.pages ?? [])],
  };
}

/** The main page of the archive's description, then those of its list. */
async function listedPages(
  archive: string,
  { names, read }: ArchiveFolder,
  notes: string[],
  limits: ImportLimits,
): Promise<ArchivePage[]> {
  const textOf = async (name: string) =>
    (await read(name, Math.min(PAGE_LIST_BYTES, limits.fileBytes))).toString('utf8');
  const pages: (ArchivePage | null)[] = [];
  try {
    if (names.includes('datapackage.json')) {
      const about: unknown = JSON.parse(await textOf('datapackage.json'));
      // Names of the standard, and of py-wacz.
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

export const WACZ: PageImporter = {
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return false;
    return /\.wacz$/i.test(archive) || (isZip(head) && zipHasName(archive, WARC_NAME));
  },
  ...readersOf('a WACZ', waczContent),
};

async function waczContent(archive: string, limits: ImportLimits): Promise<ArchiveContent> {
  const bytes = await readInputFile(archive, limits.fileBytes, 'Use an archive of one page.');
  const file = path.basename(archive);
  return readCrawl(file, await openZip(file, bytes, limits), limits);
}
