import { isIP } from 'node:net';
import type { ImportBudget, ImportLimits } from '../limits.ts';
import { lost, skippedEntries } from '../notes.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { cacheUrl } from './file-url.ts';
import type { ArchivePage, PageImporter } from './importer.ts';
import { isPage, navigatedUrl } from './navigation.ts';

export interface ArchiveContent extends Pick<Recording, 'exchanges' | 'notes' | 'recordedAt'> {
  /** Program that wrote the archive; null or absent: unknown. */
  software?: string | null;
  /** Pages that the archive lists, the main one first. */
  pages?: ArchivePage[];
}

/**
 * Importer functions for archives that do not name their page.
 * @param what the archive, for the sentence about the page's origin
 */
export function readersOf(
  what: string,
  contentOf: (archive: string, limits: ImportLimits) => Promise<ArchiveContent>,
): Pick<PageImporter, 'read' | 'pages'> {
  return {
    read: async (archive, { limits, document }) =>
      recordingOf(await contentOf(archive, limits), { what, document }),
    pages: async (archive, limits) => pagesOf(await contentOf(archive, limits)),
  };
}

/** The page of `document`; if that is null, the archive's main page, or else the page that no other page requested. */
function recordingOf(
  content: ArchiveContent,
  { what, document }: { what: string; document: string | null },
): Recording {
  const { exchanges, notes, recordedAt, software } = content;
  const named = namedPages(content)[0] ?? lostPage(content);
  const documentUrl = document ?? named?.document ?? navigatedUrl(exchanges);
  const url = documentUrl ?? exchanges.find(({ status }) => status === 200)?.url ?? null;
  const archive = software ? `${what} made by ${software}` : what;
  const source = importSource(archive, url, recordedAt);
  return { documentUrl, source, recordedAt, exchanges, notes };
}

/** Pages of an archive: those that it lists, then all other HTML pages. */
function pagesOf(content: ArchiveContent): ArchivePage[] {
  const found = content.exchanges.filter(isPage);
  const pages = new Map<string | null, ArchivePage>();
  const further = found.map(({ url }) => ({ document: url, title: null }));
  for (const page of [...namedPages(content), ...further]) {
    const url = cacheUrl(page.document);
    if (!pages.has(url)) pages.set(url, page);
  }
  return [...pages.values()];
}

/** Listed pages that exist in the archive, directly or as redirects. */
export function namedPages({
  pages = [],
  exchanges,
}: Pick<ArchiveContent, 'pages' | 'exchanges'>): ArchivePage[] {
  const had = new Set(exchanges.filter(isAnswered).map(({ url }) => cacheUrl(url)));
  return pages.filter(({ document }) => had.has(cacheUrl(document)));
}

/** A listed page without any readable response; it must not be replaced by another page. */
function lostPage({ pages = [], notes }: ArchiveContent): ArchivePage | undefined {
  const lostUrls = new Set(
    skippedEntries(notes).flatMap(({ isLost, url }) => (isLost && url ? cacheUrl(url) : [])),
  );
  return pages.find(({ document }) => lostUrls.has(cacheUrl(document)));
}

function isAnswered({ method, status, body }: RecordedExchange): boolean {
  return method === 'GET' && status >= 200 && status < 400 && status !== 304 && body !== null;
}

export function importSource(what: string, url: string | null, recordedAt: string | null): string {
  const host = URL.parse(url ?? '')?.host ?? '';
  return `imported from ${what}: ${host}${recordedOn(recordedAt)}`;
}

/** Suffix of a source with the date of the recording; empty: unknown. */
export function recordedOn(moment: string | null): string {
  return moment === null ? '' : `, recorded ${moment.slice(0, 10)}`;
}

/** An exchange from an archive's entry, with notes on losses; or a sentence part with the reason if the entry is unusable. */
export type ReadEntry = { exchange: RecordedExchange; notes: string[] } | string;

/**
 * Adds an entry, or a note that it was skipped.
 * @param where name in messages
 */
export function addEntry(
  { exchanges, notes }: Pick<ArchiveContent, 'exchanges' | 'notes'>,
  where: string,
  entry: ReadEntry,
  budget: ImportBudget,
): void {
  if (typeof entry === 'string') {
    notes.push(lost(where, entry));
    return;
  }
  budget.takeBody(entry.exchange.body?.length ?? 0, where);
  exchanges.push(entry.exchange);
  notes.push(...entry.notes.map((text) => ({ where, text })));
}

/** An IP address without brackets; undefined: not an IP address. */
export function ipAddress(text: string | null): string | undefined {
  const address = text?.trim().replace(/^\[(.*)\]$/, '$1') ?? '';
  return isIP(address) === 0 ? undefined : address;
}
