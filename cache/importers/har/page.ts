import { countText } from '../../../kit/text/number.ts';
import type { ImportLimits } from '../../limits.ts';
import type { Note } from '../../notes.ts';
import type { RecordedExchange } from '../../recording.ts';
import { cacheUrl } from '../file-url.ts';
import { readHarFile } from '../har-file.ts';
import type { ArchivePage } from '../importer.ts';
import { below, listOf, statusOf, textOf } from '../json.ts';
import { isHtmlType } from '../media-types.ts';
import { isHtml, navigatedUrl, redirectTarget } from '../navigation.ts';

interface IndexedEntry {
  entry: unknown;
  index: number;
}

interface HarPage {
  /** One of `log.pages`; null: the HAR knows no pages. */
  page: unknown;
  /** In the order of their requests. */
  entries: IndexedEntry[];
  /** What is left out. */
  notes: Note[];
}

/**
 * The entries of one page.
 * @param document URL of its document; null: the first page that has one
 */
export function harPage(log: unknown, document: string | null): HarPage {
  const everything = listOf(below(log, 'entries')).map((entry, index) => ({ entry, index }));
  const ofTheWeb = everything.filter(({ entry }) => foreignScheme(entry) === null);
  const page = pageOf(log, document, ofTheWeb);
  const entries = ofPage(ofTheWeb, page);
  const notes: Note[] = [];
  const local = everything.length - ofTheWeb.length;
  if (local > 0) {
    const schemes = new Set(everything.flatMap(({ entry }) => foreignScheme(entry) ?? []));
    notes.push(
      `entries that no web server answers (${[...schemes].slice(0, 5).join(', ')}) are left out: ${countText(local)}`,
    );
  }
  const others = ofTheWeb.length - entries.length;
  if (others > 0) {
    notes.push(
      `entries of other pages of this HAR are left out: ${countText(others)}; --document URL names another page`,
    );
  }
  return { page, entries, notes };
}

/** The scheme of what a page carries in itself (`data:`) or an extension brings along; null: it is of the web, or not known. */
function foreignScheme(entry: unknown): string | null {
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(urlOf(entry))?.[0].toLowerCase() ?? null;
  return scheme === null || /^(https?|wss?):$/.test(scheme) ? null : scheme;
}

/** The page that has `document`, else the first that has a document at all. */
function pageOf(log: unknown, document: string | null, entries: IndexedEntry[]): unknown {
  const wanted = document === null ? null : cacheUrl(document);
  const pagesWith = (fits: (entry: unknown) => boolean) =>
    new Set(entries.flatMap(({ entry }) => (fits(entry) ? [below(entry, 'pageref')] : [])));
  const fitting = pagesWith((entry) => wanted === null || cacheUrl(urlOf(entry)) === wanted);
  const pages = listOf(below(log, 'pages')).filter((page) => {
    const id = below(page, 'id');
    return id !== undefined && fitting.has(id);
  });
  const documented = pagesWith((entry) => shownUrl(entry) !== null);
  return pages.find((page) => documented.has(below(page, 'id'))) ?? pages[0] ?? null;
}

/** The URL of an entry that a browser would show as a page, also from its cache; null: it is none. */
function shownUrl(entry: unknown): string | null {
  const url = urlOf(entry);
  const isGet = /^get$/i.test(textOf(below(entry, 'request', 'method')) || 'GET');
  const type = textOf(below(entry, 'response', 'content', 'mimeType')) ?? '';
  const hasPage = [200, 304].includes(statusOf(below(entry, 'response', 'status')));
  return isGet && hasPage && isHtmlType(type) && cacheUrl(url) !== null ? url : null;
}

/** A page's entries in the order of their requests; those that name no page belong to every page. */
function ofPage(everything: IndexedEntry[], page: unknown): IndexedEntry[] {
  const id = below(page, 'id');
  const entries = everything.filter(({ entry }) => {
    const pageref = below(entry, 'pageref');
    return id === undefined || pageref === undefined || pageref === id;
  });
  const started = ({ entry }: IndexedEntry) =>
    Date.parse(textOf(below(entry, 'startedDateTime')) ?? '');
  if (entries.some((each) => Number.isNaN(started(each)))) return entries;
  return entries.sort((a, b) => started(a) - started(b));
}

/**
 * The URL that was navigated to; null: nothing is a page in HTML.
 * @param entries what the exchanges were made of, in the same order
 */
export function documentOf(
  exchanges: RecordedExchange[],
  entries: unknown[],
  page: unknown,
): string | null {
  const isGet = ({ method, url }: RecordedExchange) => method === 'GET' && cacheUrl(url) !== null;
  const named = namesOf(page).map((name) =>
    exchanges.find((exchange) => isGet(exchange) && cacheUrl(exchange.url) === name),
  );
  // WebPageTest's marks.
  const marked = ['_final_base_page', '_is_base_page'].map((mark) =>
    exchanges.find((exchange, at) => isGet(exchange) && below(entries[at], mark) === true),
  );
  const known = [...named, ...marked].find((found) => found !== undefined);
  if (known) return beginningOf(known, exchanges).url;
  const answered = exchanges.filter(
    (each) => isGet(each) && each.status >= 200 && each.failure === undefined,
  );
  const document =
    answered.find(({ type }) => type === 'document') ??
    answered.find((each) => each.status < 300 && isHtml(each)) ??
    // An error is the page where the load began with it.
    answered.slice(0, 1).find((each) => each.status >= 400 && isHtml(each));
  return navigatedUrl(answered) ?? (document ? beginningOf(document, exchanges).url : null);
}

/** URLs by which a page of a HAR is known: its title is that of the document, or its URL, alone or in a sentence. */
function namesOf(page: unknown): string[] {
  const title = textOf(below(page, 'title')) ?? '';
  // `_url` as this project and Browsertime write it, `_URL` as WebPageTest does.
  const names = [below(page, '_url'), below(page, '_URL'), /https?:\/\/\S+/i.exec(title)?.[0]];
  return names.flatMap((name) => cacheUrl(textOf(name) ?? '') ?? []);
}

function beginningOf(document: RecordedExchange, exchanges: RecordedExchange[]): RecordedExchange {
  const askerOf = ({ initiator }: RecordedExchange) => exchanges[initiator ?? -1];
  let first = document;
  for (
    let asker = askerOf(first);
    asker && redirectTarget(asker) !== null;
    asker = askerOf(first)
  ) {
    first = asker;
  }
  return first;
}

function urlOf(entry: unknown): string {
  return textOf(below(entry, 'request', 'url')) ?? '';
}

/**
 * Gives exchanges the place of what asked for them: the redirect that led to them, else the document, stylesheet or script
 * that `_initiator` names (Chromium's DevTools, and tools that write its fields).
 * @param entries the entries that the exchanges were made of, in the same order
 */
export function addInitiators(exchanges: RecordedExchange[], entries: unknown[]): void {
  const placeOf = new Map<string, number>();
  const redirectTo = new Map<string, number>();
  for (const [index, exchange] of exchanges.entries()) {
    const url = cacheUrl(exchange.url);
    if (url === null) continue;
    const redirect = redirectTo.get(url);
    const initiator = redirect ?? placeOf.get(cacheUrl(initiatorUrl(entries[index]) ?? '') ?? '');
    if (initiator !== undefined) exchange.initiator = initiator;
    redirectTo.delete(url);
    const target = redirectTarget(exchange);
    const earlier = exchanges[placeOf.get(url) ?? -1];
    // After a bounce it is the later answer that asks for things.
    if (!earlier || redirectTarget(earlier) !== null) placeOf.set(url, index);
    if (target !== null && target !== url) redirectTo.set(target, index);
  }
}

function initiatorUrl(entry: unknown): string | null {
  const initiator = below(entry, '_initiator');
  // Some tools write the URL alone.
  if (typeof initiator === 'string') return initiator;
  const frame = listOf(below(initiator, 'stack', 'callFrames'))
    .map((call) => textOf(below(call, 'url')))
    .find((url) => url !== null && url !== '');
  return textOf(below(initiator, 'url')) ?? frame ?? null;
}

/**
 * The pages of a HAR: of each that it names the first HTML, or all HTML where it names none.
 * @throws ImportError when it is no HAR, or is larger than the limits say
 */
export async function harPages(archive: string, limits: ImportLimits): Promise<ArchivePage[]> {
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
