import type { ClientRecord } from '../ground/records/observation.ts';
import type { Har } from './har/har.ts';
import type { LoadDescription } from './har/load-description.ts';
import type { Failure } from './load-failure.ts';
import type { PageTimings } from './page-timings.ts';
import type { VisitKind } from './visit-kind.ts';

/** Opens contexts for page loads in the browsers of some servers. */
export interface PagePool {
  /**
   * @param stack name of the arm whose pages the context loads
   * @throws Error if the browser cannot start, or opens no context in time
   */
  open(stack: string, visit: VisitKind): Promise<PageContext>;
  /** Whether to replace its browsers before the next block. */
  readonly isWorn: boolean;
  close(): Promise<void>;
}

/** A browser's context for one load: an empty tab that knows nothing. */
export interface PageContext {
  about: ClientRecord;
  /** PID of the browser's first process. */
  browserPid: number;
  keyLogFile: string;
  /** Offset in the key log when the context was opened. */
  keyLogFromByte: number;
  /** Records the tab from now on. */
  watch(options: VisitOptions): Promise<WatchedPage>;
  /** Loads the page once before it is measured. */
  loadEarlier(visit: EarlierVisit): Promise<EarlierLoad | Failure>;
  /** Closes and forgets what the load left open. */
  leave(): Promise<void>;
}

/** Options of a navigation. */
export interface VisitOptions {
  url: string;
  isReload: boolean;
  timeoutS: number;
  /** JavaScript to run before the page's own in every document and worker; null: none. */
  script: string | null;
  /** Whether to record events for a HAR; without them, the cost of recording can be measured. */
  capture: boolean;
  /** Whether its bodies will be read; absent: no. */
  keepsBodies?: boolean;
}

/** The page to load once before the measured load. */
export interface EarlierVisit {
  url: string;
  kind: VisitKind;
  hosts: readonly string[];
  timeoutS: number;
  script: string | null;
  /** Switches the path to the network of the measured load. */
  applyMeasuredNetwork: () => Promise<void>;
}

export interface EarlierLoad {
  /** Where the measured load begins. */
  at: PageContext;
  record: PageRecord;
  /** Protocols of the responses in each return visit. */
  returnProtocols: string[][];
}

/** A recorded tab before, during and after its load. */
export interface WatchedPage {
  /** Navigates to the page, and waits for its load event; null: it fired. */
  load(): Promise<Failure | null>;
  /** Whether no request is pending. */
  isQuiet(): boolean | Promise<boolean>;
  /** Resolves when the state at the load event has been painted, so that other work cannot delay it; or after some time. */
  waitForPaint(): Promise<void>;
  /** Waits for a quiet network after a load, and reads the page's timings. */
  settle(failure: Failure | null): Promise<PageVisit>;
  /** Complete responses of the load; null: their bodies were not kept. */
  responses(): ReceivedResponse[] | null;
  /** Makes the page's main threads take the given times as long, until the returned function is called; absent: unsupported. */
  slow?(times: number): Promise<() => void>;
  /** Starts a trace with pictures of the page; absent: unsupported. */
  startTrace?(): Promise<Trace>;
  /**
   * Loads a page during a network event; absent: unsupported.
   * @param eventMs time of the event, since the start of the first navigation
   * @param loaded called at the first navigation's load event, or when waiting for it ends
   */
  loadUntilComplete?(
    eventMs: number,
    loaded: () => void,
  ): Promise<PageVisit & { breaks: BreakCounts }>;
}

/** A load that has ended. */
export interface PageVisit {
  record: PageRecord;
  /** null: the load failed before the page could report timings. */
  timings: PageTimings | null;
  failure: Failure | null;
}

/** What a browser recorded of a load. */
export interface PageRecord {
  /** @throws Error if the browser's events make no HAR */
  makeHar(about: LoadDescription): Har;
  /** Time of the last load event, in ms of the machine's monotonic clock; null: none. */
  loadedMs: number | null;
  /** Dialogs that the page opened. */
  dialogs: number;
}

/** A complete response. */
export interface ReceivedResponse {
  method: string;
  url: string;
  status: number;
  /** Size of the decoded body; null: known by reading it. */
  bytes: number | null;
  /** Encoding of texts that the browser returns as characters. */
  charset: string;
  /** null: the browser has discarded it. */
  readBody(): Promise<{ body: string; base64Encoded: boolean } | null>;
}

/** A running trace. */
export interface Trace {
  /**
   * Ends the trace and returns it as JSON.
   * @throws Error if the browser does not end it in time, has lost a part of it, or it is too large
   */
  end(): Promise<string>;
}

/** Effects of a network event on a page. */
export interface BreakCounts {
  /** Broken requests, or, if nothing arrived any more, pending ones. */
  brokenRequests: number;
  reloads: number;
  /** Reloads because nothing arrived any more. */
  stalls: number;
  /** From the start of the first navigation to the load event of the last; null: the page was never complete. */
  completeMs: number | null;
}
