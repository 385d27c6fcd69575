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
  /** An entry of `log.pages`; null: the HAR has no pages. */
  page: unknown;
  /** In the order of requests. */
  entries: IndexedEntry[];
  /** Excluded entries. */
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
      `entries excluded because no web server answers them (${[...schemes].slice(0, 5).join(', ')}): ${countText(local)}`,
    );
  }
  const ofOtherPages = ofTheWeb.length - entries.length;
  if (ofOtherPages > 0) {
    notes.push(
      `entries of further pages in this HAR excluded: ${countText(ofOtherPages)}; --document URL selects another page`,
    );
  }
  return { page, entries, notes };
}

/** Scheme of embedded content (`data:`) or of an extension; null: http or https, or unknown. */
function foreignScheme(entry: unknown): string | null {
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(urlOf(entry))?.[0].toLowerCase() ?? null;
  return scheme === null || /^(https?|wss?):$/.test(scheme) ? null : scheme;
}

/** The page that has `document`, or else the first one with a document. */
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

/** URL of an entry that a browser shows as a page, even from its cache; null: not a page. */
function shownUrl(entry: unknown): string | null {
  const url = urlOf(entry);
  const isGet = /^get$/i.test(textOf(below(entry, 'request', 'method')) || 'GET');
  const type = textOf(below(entry, 'response', 'content', 'mimeType')) ?? '';
  const hasPage = [200, 304].includes(statusOf(below(entry, 'response', 'status')));
  return isGet && hasPage && isHtmlType(type) && cacheUrl(url) !== null ? url : null;
}

/** A page's entries in the order of requests; entries without a page belong to every page. */
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
 * The URL of the navigation; null: no HTML page.
 * @param entries sources of the exchanges, in the same order
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
    // An error page is the document if the load began with it.
    answered.slice(0, 1).find((each) => each.status >= 400 && isHtml(each));
  return navigatedUrl(answered) ?? (document ? beginningOf(document, exchanges).url : null);
}

/** URLs of a page in a HAR: its title is the document's title or URL, alone or in a sentence. */
function namesOf(page: unknown): string[] {
  const title = textOf(below(page, 'title')) ?? '';
  // `_url` as this project and Browsertime write it, `_URL` as WebPageTest does.
  const names = [below(page, '_url'), below(page, '_URL'), /https?:\/\/\S+/i.exec(title)?.[0]];
  return names.flatMap((name) => cacheUrl(textOf(name) ?? '') ?? []);
}

function beginningOf(document: RecordedExchange, exchanges: RecordedExchange[]): RecordedExchange {
  const parentOf = ({ initiator }: RecordedExchange) => exchanges[initiator ?? -1];
  let first = document;
  for (
    let parent = parentOf(first);
    parent && redirectTarget(parent) !== null;
    parent = parentOf(first)
  ) {
    first = parent;
  }
  return first;
}

function urlOf(entry: unknown): string {
  return textOf(below(entry, 'request', 'url')) ?? '';
}

/**
 * Sets the initiator of each exchange: the redirect that led to it, or else the document, stylesheet or script
 * in `_initiator` (written by Chromium's DevTools and compatible tools).
 * @param entries sources of the exchanges, in the same order
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
    // If a redirect was recorded before another answer to the same URL, the later answer makes the requests.
    if (!earlier || redirectTarget(earlier) !== null) placeOf.set(url, index);
    if (target !== null && target !== url) redirectTo.set(target, index);
  }
}

function initiatorUrl(entry: unknown): string | null {
  const initiator = below(entry, '_initiator');
  // Some tools write only the URL.
  if (typeof initiator === 'string') return initiator;
  const frame = listOf(below(initiator, 'stack', 'callFrames'))
    .map((call) => textOf(below(call, 'url')))
    .find((url) => url !== null && url !== '');
  return textOf(below(initiator, 'url')) ?? frame ?? null;
}

/**
 * The pages of a HAR: the first HTML of each page that it lists, or all HTML if it lists no pages.
 * @throws ImportError when it is not valid, or exceeds the limits
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
