import { ImportError, shown } from '../../import-error.ts';
import { importBudget } from '../../limits.ts';
import type { RecordedExchange, Recording } from '../../recording.ts';
import { headOf } from '../archive-file.ts';
import { cacheUrl } from '../file-url.ts';
import { readHarFile } from '../har-file.ts';
import type { PageImporter, ReadOptions } from '../importer.ts';
import { below, listOf, momentOf, quantityOf, textOf } from '../json.ts';
import { addEntry, importSource } from '../recording-of.ts';
import { isZip, zipHasName } from '../zip-archive.ts';
import { harExchange } from './exchange.ts';
import { addInitiators, documentOf, harPage, harPages } from './page.ts';

export const HAR: PageImporter = { recognise, read, pages: harPages };

async function recognise(archive: string): Promise<boolean> {
  const head = await headOf(archive);
  if (head === null) return false;
  if (isZip(head)) return zipHasName(archive, /\.har$/i);
  return (
    /\.har(\.gz)?$/i.test(archive) ||
    /^(\ufeff|\xef\xbb\xbf)?\s*\{\s*"log"\s*:/.test(head.toString('latin1'))
  );
}

async function read(archive: string, { limits, document }: ReadOptions): Promise<Recording> {
  const { log, attached } = await readHarFile(archive, limits);
  const budget = importBudget(archive, limits);
  const { length } = listOf(below(log, 'entries'));
  if (length > limits.entries) {
    throw new ImportError(
      `${archive} has ${length.toLocaleString('en-US')} entries, at most ${limits.entries.toLocaleString('en-US')} are imported. Give a HAR of one page.`,
    );
  }
  const { page, entries, notes } = harPage(log, document);
  const exchanges: RecordedExchange[] = [];
  const taken: unknown[] = [];
  for (const { entry, index } of entries) {
    const where = nameOf(entry, index);
    const read = await harExchange(entry, where, attached, limits);
    if (typeof read !== 'string') taken.push(entry);
    addEntry({ exchanges, notes }, where, read, budget);
  }
  addInitiators(exchanges, taken);
  const documentUrl =
    document === null ? documentOf(exchanges, taken, page) : namedDocument(document, archive);
  const recordedAt = momentOf(below(page, 'startedDateTime')) ?? exchanges[0]?.startedAt ?? null;
  const loadMs = quantityOf(below(page, 'pageTimings', 'onLoad'));
  return {
    documentUrl,
    source: sourceOf(log, documentUrl, recordedAt),
    recordedAt,
    ...(recordedAt === null || loadMs === null
      ? {}
      : { loadedAt: laterMoment(recordedAt, loadMs) }),
    exchanges,
    // As this project's own export writes it.
    unanswered: Math.min(Math.floor(quantityOf(below(page, '_unanswered')) ?? 0), limits.entries),
    notes,
  };
}

function namedDocument(document: string, archive: string): string {
  if (cacheUrl(document) !== null) return document;
  throw new ImportError(
    `--document ${document} is not a web address. For ${archive} expected is the page's URL, as in https://www.example.org/.`,
  );
}

function sourceOf(log: unknown, documentUrl: string | null, recordedAt: string | null): string {
  const own = textOf(below(log, '_source'));
  if (own !== null && own !== '') return shown(own, 400);
  const by = [below(log, 'browser'), below(log, 'creator')]
    .map(
      (program) =>
        `${textOf(below(program, 'name')) ?? ''} ${textOf(below(program, 'version')) ?? ''}`,
    )
    .map((program) => shown(program.trim(), 80));
  const program = by.find((name) => name !== '') ?? 'an unknown program';
  return importSource(`a HAR made by ${program}`, documentUrl, recordedAt);
}

function laterMoment(moment: string, byMs: number): string {
  const timeMs = Date.parse(moment) + byMs;
  // Beyond this a Date is invalid.
  return new Date(Math.min(timeMs, 8.64e15)).toISOString();
}

function nameOf(entry: unknown, index: number): string {
  const url = shown(textOf(below(entry, 'request', 'url')) ?? 'without a URL');
  return `entry ${index} (${url})`;
}
