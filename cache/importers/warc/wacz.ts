import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ImportError } from '../../import-error.ts';
import { type ImportLimits, importBudget } from '../../limits.ts';
import type { Note } from '../../notes.ts';
import type { Recording } from '../../recording.ts';
import { headOf, isGzip } from '../file-head.ts';
import { cacheUrl } from '../file-url.ts';
import type { Importer, ReadOptions } from '../importer.ts';
import { below, textOf } from '../json.ts';
import { recordingOf } from '../recording-of.ts';
import { shown } from '../shown.ts';
import { isZip, openZip, type ZipArchive, zipHasName } from '../zip-archive.ts';
import { warcCollector } from './exchanges.ts';
import { warcRecords } from './records.ts';

const WARC_NAME = /\.warc(\.gz)?$/i;

/** WACZ: WARCs in a zip, with a list of the pages in them. */
export const WACZ: Importer = {
  format: 'wacz',
  what: 'a WACZ (`.wacz`): Browsertrix, ArchiveWeb.page, py-wacz',
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return false;
    return /\.wacz$/i.test(archive) || (isZip(head) && zipHasName(archive, WARC_NAME));
  },
  read,
};

/** Most bytes of what says which pages are in the archive: some hundred for each page. */
const PAGE_LIST_BYTES = 16 * 1024 * 1024;

async function read(archive: string, { limits, document }: ReadOptions): Promise<Recording> {
  if ((await stat(archive)).size > limits.fileBytes) {
    throw new ImportError(
      `${archive} has more than ${limits.fileBytes.toLocaleString('en-US')} bytes. Give an archive of one page.`,
    );
  }
  const file = path.basename(archive);
  const zip = await openZip(file, await readFile(archive), limits);
  const budget = importBudget(archive, limits);
  const collector = warcCollector(budget);
  const names = zip.names.filter((name) => WARC_NAME.test(name)).sort();
  for (const name of names) {
    const packed = await zip.read(name, limits.fileBytes);
    const warc = { packed: Readable.from([packed]), isPacked: isGzip(packed) };
    for await (const record of warcRecords(`${file}/${shown(name)}`, warc, budget)) {
      collector.add(record);
    }
  }
  const notes: Note[] = [];
  const documentUrl = document ?? (await mainPage(zip, file, notes, limits));
  const content = collector.content();
  notes.push(...content.notes);
  return recordingOf({ ...content, notes }, { what: 'a WACZ', document: documentUrl });
}

/** The page that the archive opens with: the one its description names, else the first in its list. Null: neither. */
async function mainPage(
  zip: ZipArchive,
  file: string,
  notes: Note[],
  limits: Readonly<ImportLimits>,
): Promise<string | null> {
  const read = async (name: string) =>
    (await zip.read(name, Math.min(PAGE_LIST_BYTES, limits.fileBytes))).toString('utf8');
  try {
    if (zip.names.includes('datapackage.json')) {
      const url = pageUrl(await read('datapackage.json'), 'mainPageUrl');
      if (url !== null) return url;
    }
    if (!zip.names.includes('pages/pages.jsonl')) return null;
    for (const line of (await read('pages/pages.jsonl')).split('\n')) {
      const url = line.trim() === '' ? null : pageUrl(line, 'url');
      if (url !== null) return url;
    }
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof SyntaxError)) throw error;
    const why = shown(error.message, 160);
    notes.push(`${file}: its list of pages cannot be read (${why}), so the first page counts`);
  }
  return null;
}

/** A field of an object in JSON, where it is a web address. */
function pageUrl(json: string, field: string): string | null {
  const url = textOf(below(JSON.parse(json), field));
  return url !== null && cacheUrl(url) !== null ? url : null;
}
