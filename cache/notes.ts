import { countText } from '../kit/text/number.ts';

/** A loss or change in a recording: of one entry, or, as a sentence, of the whole. */
export type Note = EntryNote | string;

/** A loss or change in one entry. */
export interface EntryNote {
  /** Name of the entry in messages. */
  where: string;
  /** A sentence part; details of the entry follow a colon, so that similar notes are grouped. */
  text: string;
  /** The entry became no exchange, so that its request has no answer. */
  isLost?: true;
  /** URL of a lost request, as recorded. Absent: unknown. */
  url?: string;
}

/**
 * The note that an entry became no exchange.
 * @param url of its request, as recorded
 */
export function lost(where: string, why: string, url?: string): EntryNote {
  return { where, text: `${SKIPPED}${why}`, isLost: true, ...(url ? { url } : {}) };
}

const SKIPPED = 'skipped, ';

export function skippedEntries(notes: readonly Note[]): (EntryNote & { why: string })[] {
  return notes.flatMap((note) =>
    typeof note !== 'string' && note.text.startsWith(SKIPPED)
      ? { ...note, why: note.text.slice(SKIPPED.length) }
      : [],
  );
}

/** Lines for people: one for each kind, with a count and the first entry. */
export function noteLines(notes: readonly Note[]): string[] {
  return [...Map.groupBy(notes, kindOf)].map(([kind, own]) => {
    const [first] = own as [Note, ...Note[]];
    if (typeof first === 'string') return first;
    const { where, text } = first;
    if (own.length === 1) return `${where}: ${text}`;
    const detail = text.slice(kind.length);
    return `${countText(own.length)} times: ${kind}; first: ${where}${detail}`;
  });
}

function kindOf(note: Note): string {
  return typeof note === 'string' ? note : (note.text.split(': ', 1)[0] as string);
}
