import { isIP } from 'node:net';
import type { ImportBudget } from '../limits.ts';
import { lost } from '../notes.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { navigatedUrl } from './navigation.ts';

/** What an archive has that does not say what was navigated to. */
export interface ArchiveContent extends Pick<Recording, 'exchanges' | 'notes' | 'recordedAt'> {
  /** The program that wrote it, as it calls itself; null or absent: it does not say. */
  software?: string | null;
}

/**
 * The page that an archive has.
 * @param what the archive, for the sentence that says where the page comes from
 * @param document the main document; null: the first page that nothing else in the archive asked for
 */
export function recordingOf(
  { exchanges, notes, recordedAt, software }: ArchiveContent,
  { what, document }: { what: string; document: string | null },
): Recording {
  const documentUrl = document ?? navigatedUrl(exchanges);
  const url = documentUrl ?? exchanges.find(({ status }) => status === 200)?.url ?? null;
  const archive = software ? `${what} made by ${software}` : what;
  const source = importSource(archive, url, recordedAt);
  return { documentUrl, source, recordedAt, exchanges, notes };
}

/** The sentence that says where an imported page comes from. */
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
