import type { ResourceType } from './manifest.ts';
import type { Note } from './notes.ts';

/** A recorded page: the output of importers and the recorder, and the input of `site-of-recording.ts`. */
export interface Recording {
  /** URL of the navigation, as recorded; null: unknown, and the first HTML page is used. */
  documentUrl: string | null;
  /** Origin of the page, as a sentence without a full stop, shown together with the site. */
  source: string;
  /** Time of the recording (ISO 8601, UTC); null: unknown, and the document's `Date` header is used. */
  recordedAt: string | null;
  /** Time of the load event (ISO 8601, UTC), if known. */
  loadedAt?: string;
  /** In the order of requests, if known. URLs may repeat. */
  exchanges: RecordedExchange[];
  /** Number of requests that were dropped earlier, without details; absent: 0. */
  unanswered?: number;
  /** Losses and changes. */
  notes: Note[];
}

export interface RecordedExchange {
  /** Name in messages: the file or archive, and the entry in it. */
  where: string;
  /** Method as recorded, in capitals. */
  method: string;
  /** URL as recorded: absolute, perhaps with http, port or fragment. */
  url: string;
  /** Status as recorded; 0: no response. */
  status: number;
  /** Why the browser did not deliver the response to the page: blocked, aborted. Absent: delivered, or unknown. */
  failure?: string;
  /**
   * Response headers as received, in order. Values are Latin-1 text, so that each character is one byte. Repeated headers are separate
   * entries: importers split joined ones.
   */
  headers: [name: string, value: string][];
  /** The response's body; empty: no body; null: not recorded. */
  body: Uint8Array | null;
  /** Why the body is missing, as a sentence part; details follow a colon. Absent: unknown. */
  whyNoBody?: string;
  /**
   * Whether `body` is encoded by `content-encoding` (`as sent`), or `decoded`. A body that is
   * wrongly marked as sent loses its `content-encoding`; a decoded one is encoded again.
   */
  bodyIs: 'as sent' | 'decoded';
  /** Type of the request in the browser; null: not recorded, derived from content type and URL. */
  type: ResourceType | null;
  /** When the request was made (ISO 8601, UTC). */
  startedAt?: string;
  /** From the end of the request to the first byte of the response, in ms: a round trip and the server time. */
  waitMs?: number;
  /** Server time, in ms, if recorded separately; then `waitMs` is not used. */
  serverMs?: number;
  /** Duration of a TCP handshake with the same host, in ms: about one round trip. */
  connectMs?: number;
  /** Request headers, in the form of `headers`. */
  requestHeaders?: [name: string, value: string][];
  serverAddress?: string;
  /** Sizes of a body that was not recorded; null: unknown. */
  sizes?: { wireBytes: number | null; decodedBytes: number | null };
  /** Index in `exchanges` of the earlier exchange that caused this request, if known. */
  initiator?: number;
}
