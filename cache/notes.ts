import { countText } from '../kit/text/number.ts';

/** What of a recording could not be taken over as it is: about one entry of it, or, as a sentence, about the whole. */
export type Note = EntryNote | string;

/** What could not be taken over of one entry. */
export interface EntryNote {
  /** What messages call the entry. */
  where: string;
  /** A sentence part; what differs from entry to entry stands behind a colon, so that notes of a kind are told together. */
  text: string;
  /** No exchange was made of the entry: nothing answers its request. */
  isLost?: true;
  /** URL of a lost request, as recorded. Absent: not known. */
  url?: string;
}

/**
 * The note that no exchange could be made of an entry.
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

/** Notes as a person reads them: a line for each kind, with a count and the first entry where there are several. */
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
