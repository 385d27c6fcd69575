import type { ResourceType } from './manifest.ts';
import type { Note } from './notes.ts';

/** A page as some tool recorded it: what every importer, and the recorder, hand to `site-of-recording.ts`. */
export interface Recording {
  /** The URL that was navigated to, as recorded; null: the recording does not say, and its first page in HTML counts. */
  documentUrl: string | null;
  /** A sentence without a full stop: where the page comes from. Shown wherever the site is shown. */
  source: string;
  /** When the page was recorded (ISO 8601, UTC); null: not known, and the document's `Date` header counts. */
  recordedAt: string | null;
  /** When the page's load event came (ISO 8601, UTC), where that is known. */
  loadedAt?: string;
  /** In the order of the requests where that is known. One URL may stand more than once. */
  exchanges: RecordedExchange[];
  /** How many requests were left out before, of which nothing is known any more; absent: none. */
  unanswered?: number;
  /** What could not be taken over. */
  notes: Note[];
}

export interface RecordedExchange {
  /** What messages call it: the name of the file or archive and the entry in it. */
  where: string;
  /** As recorded, in capitals. */
  method: string;
  /** As recorded: absolute, perhaps with http, port or fragment. */
  url: string;
  /** As recorded; 0 where there was no response. */
  status: number;
  /** Why the browser did not give the response to the page: blocked, broken off, given up. Absent: it did, as far as is known. */
  failure?: string;
  /**
   * Response headers as received, in order. Values are Latin-1 text, so that each character is one byte. A header that came several
   * times stands several times: who reads a format that joins them takes them apart.
   */
  headers: [name: string, value: string][];
  /** The response's body; empty: there was none; null: it was not recorded. */
  body: Uint8Array | null;
  /** Why it was not, as the part of a sentence; what differs from entry to entry stands behind a colon. Absent: not known. */
  whyNoBody?: string;
  /**
   * Whether `body` is in the coding that `content-encoding` names (`as sent`), or that was taken off (`decoded`). A body that is
   * said to be as sent and is not loses its `content-encoding`; one that is decoded is encoded again.
   */
  bodyIs: 'as sent' | 'decoded';
  /** What the browser took the response for; null: not recorded, judged by content type and URL. */
  type: ResourceType | null;
  /** When the request was made (ISO 8601, UTC). */
  startedAt?: string;
  /** From the request's end to the response's first byte, in ms, as recorded: a round trip and the server's time. */
  waitMs?: number;
  /** The server's own part of that, in ms, where a format has it by itself; then `waitMs` does not count. */
  serverMs?: number;
  /** From the beginning of a TCP connection to the same host to its end, in ms: about one round trip. */
  connectMs?: number;
  /** Request headers, as `headers`. */
  requestHeaders?: [name: string, value: string][];
  serverAddress?: string;
  /** Sizes of a body that was not recorded; null: not known. */
  sizes?: { wireBytes: number | null; decodedBytes: number | null };
  /** Place in `exchanges` of what asked for it, where that is known; always a smaller one than its own. */
  initiator?: number;
}
