import { ImportError } from '../../import-error.ts';
import { importBudget } from '../../limits.ts';
import type { Note } from '../../notes.ts';
import type { RecordedExchange, Recording } from '../../recording.ts';
import { headOf } from '../file-head.ts';
import { cacheUrl } from '../file-url.ts';
import type { Importer, ReadOptions } from '../importer.ts';
import { below, listOf, momentOf, quantityOf, textOf } from '../json.ts';
import { isHtml } from '../navigation.ts';
import { addEntry, importSource } from '../recording-of.ts';
import { shown } from '../shown.ts';
import { isZip, zipHasName } from '../zip-archive.ts';
import { harExchange } from './exchange.ts';
import { readHarFile } from './har-file.ts';
import { addInitiators } from './initiators.ts';
import { harPages } from './pages.ts';

/** HAR 1.2 as Chromium's DevTools, Firefox, Playwright and this project write it. */
export const HAR: Importer = {
  format: 'har',
  what: 'a HAR (plain, gzip, or the zip that Playwright writes). One without bodies becomes a generated page with the same types, sizes, hosts and order',
  recognise,
  read,
  pages: harPages,
};

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
  const everything = listOf(below(log, 'entries'));
  if (everything.length > limits.entries) {
    throw new ImportError(
      `${archive} has ${everything.length.toLocaleString('en-US')} entries, at most ${limits.entries.toLocaleString('en-US')} are imported. Give a HAR of one page.`,
    );
  }
  const notes: Note[] = [];
  const page = pageOf(log, document, everything);
  const { entries, skipped } = ofPage(everything, page);
  if (skipped > 0) {
    notes.push(
      `entries of other pages of this HAR are left out: ${skipped.toLocaleString('en-US')}; --document URL names another page`,
    );
  }
  const exchanges: RecordedExchange[] = [];
  for (const { entry, index } of entries) {
    const where = nameOf(entry, index);
    const read = await harExchange(entry, where, attached, limits);
    addEntry({ exchanges, notes }, where, read, budget);
  }
  addInitiators(
    exchanges,
    entries.map(({ entry }) => entry),
  );
  const documentUrl = documentOf(exchanges, document, archive, page);
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

/** The page that is imported: the one that `document` names, else the first that has entries. Null: the HAR knows no pages. */
function pageOf(log: unknown, document: string | null, entries: unknown[]): unknown {
  const pages = listOf(below(log, 'pages'));
  const wanted = document === null ? null : cacheUrl(document);
  const fits = (entry: unknown) =>
    wanted === null || cacheUrl(textOf(below(entry, 'request', 'url')) ?? '') === wanted;
  const first = entries.find((entry) => textOf(below(entry, 'pageref')) !== null && fits(entry));
  const id = below(first, 'pageref');
  return pages.find((page) => id !== undefined && below(page, 'id') === id) ?? null;
}

/** A page's entries in the order of their requests; those that name no page belong to every page. */
function ofPage(everything: unknown[], page: unknown) {
  const id = below(page, 'id');
  const entries = everything
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => {
      const pageref = below(entry, 'pageref');
      return id === undefined || pageref === undefined || pageref === id;
    });
  const started = (entry: unknown) => Date.parse(textOf(below(entry, 'startedDateTime')) ?? '');
  if (entries.every(({ entry }) => !Number.isNaN(started(entry)))) {
    entries.sort((a, b) => started(a.entry) - started(b.entry));
  }
  return { entries, skipped: everything.length - entries.length };
}

/** The URL that was navigated to. */
function documentOf(
  exchanges: RecordedExchange[],
  document: string | null,
  archive: string,
  page: unknown,
): string | null {
  if (document !== null) {
    if (cacheUrl(document) !== null) return document;
    throw new ImportError(
      `--document ${document} is not a web address. For ${archive} expected is the page's URL, as in https://www.example.org/.`,
    );
  }
  // As this project's own export writes it.
  const own = textOf(below(page, '_url'));
  if (own !== null && cacheUrl(own) !== null) return own;
  const answered = exchanges.filter(({ status, method }) => status >= 200 && method === 'GET');
  const navigated = answered.find(({ type }) => type === 'document');
  if (navigated) return navigated.url;
  // Firefox and Playwright do not say what an entry is. Redirects come first, then the page.
  let first = answered.find((exchange) => exchange.status < 300 && isHtml(exchange));
  while (first?.initiator !== undefined) first = exchanges[first.initiator];
  return first?.url ?? null;
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
