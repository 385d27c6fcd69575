import { isIP } from 'node:net';
import type { ImportBudget, ImportLimits } from '../limits.ts';
import { lost, skippedEntries } from '../notes.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { cacheUrl } from './file-url.ts';
import type { ArchivePage, PageImporter } from './importer.ts';
import { isPage, navigatedUrl } from './navigation.ts';

export interface ArchiveContent extends Pick<Recording, 'exchanges' | 'notes' | 'recordedAt'> {
  /** The program that wrote it, as it calls itself; null or absent: it does not say. */
  software?: string | null;
  /** Pages that it names itself, beginning with the one that it opens with. */
  pages?: ArchivePage[];
}

/**
 * How an importer reads archives that do not say what was navigated to.
 * @param what the archive, for the sentence that says where the page comes from
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

/** The page that `document` names; null: the one that the archive names, else the one that nothing else in it asked for. */
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

/** The pages of an archive: those that it names, then all other HTML that a browser would show as a page. */
function pagesOf(content: ArchiveContent): ArchivePage[] {
  const found = content.exchanges.filter(isPage);
  const pages = new Map<string | null, ArchivePage>();
  const others = found.map(({ url }) => ({ document: url, title: null }));
  for (const page of [...namedPages(content), ...others]) {
    const url = cacheUrl(page.document);
    if (!pages.has(url)) pages.set(url, page);
  }
  return [...pages.values()];
}

/** Pages that an archive names and has: what leads to them, or what they are. */
export function namedPages({
  pages = [],
  exchanges,
}: Pick<ArchiveContent, 'pages' | 'exchanges'>): ArchivePage[] {
  const had = new Set(exchanges.filter(isAnswered).map(({ url }) => cacheUrl(url)));
  return pages.filter(({ document }) => had.has(cacheUrl(document)));
}

/** A page that an archive names, and of which nothing can be read: no other page of the archive is meant by it. */
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

/** The end of such a sentence; empty: not known. */
export function recordedOn(moment: string | null): string {
  return moment === null ? '' : `, recorded ${moment.slice(0, 10)}`;
}

/** An entry of an archive as an exchange, with what could not be taken over; a sentence part says why it is none. */
export type ReadEntry = { exchange: RecordedExchange; notes: string[] } | string;

/**
 * Adds an entry, or the note that it was skipped.
 * @param where what messages call it
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

/** An IP address as an exchange has it, without brackets around it; undefined: it is none. */
export function ipAddress(text: string | null): string | undefined {
  const address = text?.trim().replace(/^\[(.*)\]$/, '$1') ?? '';
  return isIP(address) === 0 ? undefined : address;
}
