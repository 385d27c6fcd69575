import type { LoadConnections } from './connection.ts';
import type { LoadPhasesMs } from './load-phases.ts';
import type { MachineUse } from './machine-use.ts';
import type { NetworkRecord, PathCounts } from './network.ts';

/** The version of page-loads.jsonl and run.json that this code writes; results/README.md describes it. */
export const RECORD_FORMAT_VERSION = 4;

/** The protocol of a response in the words of HAR 1.2's httpVersion. */
export type Protocol = 'h3' | 'h2' | 'http/1.1' | 'http/1.0';

export type Outcome = 'ok' | 'failed' | 'invalid';

/**
 * How much the browser knows of the site when the measured load begins. cold: nothing. repeat: what an earlier load left
 * in cache, cookies and session tickets, with no connection open any more. resumed: session tickets alone. reload: the
 * page is there and is loaded once more (F5), over the connections of its first load where the server keeps them open.
 */
export type VisitKind = 'cold' | 'repeat' | 'resumed' | 'reload';

/** Durations in ms, unrounded; null where the load has no such number. results/README.md defines each. */
export interface TimingsMs {
  pageLoad: number | null;
  documentTime: number | null;
  firstByte: number | null;
  connect: number | null;
  domContentLoaded: number | null;
  firstContentfulPaint: number | null;
  largestContentfulPaint: number | null;
  lastByte: number | null;
}

/** What came over the wire, counted from the load's HAR. */
export interface TrafficRecord {
  /** Requests sent, redirects counted one by one. */
  requests: number;
  /** Responses with status 200. */
  responses200: number;
  /** Responses with status 400 or more. */
  errorResponses: number;
  /** Requests without a response (blocked host, reset, abort). */
  failedRequests: number;
  /** Bytes received, headers included, after TLS or QUIC; null: unknown. */
  wireBytes: number | null;
  /** Distinct connections that carried a response. */
  connections: number;
  /** Host to the number of distinct connections that carried its responses; one connection may serve several hosts. */
  connectionsByHost: Record<string, number>;
  /** Protocol to number of responses. */
  protocols: Record<string, number>;
  /** Of the main document, as Chromium says it: `QUIC`, `TLS 1.3`. */
  tlsVersion: string | null;
  cipher: string | null;
  /** `X25519`, `X25519MLKEM768`; of the same connection. */
  keyExchangeGroup: string | null;
  /** Responses that came out of the browser's cache; they are in no other number here. */
  fromCache: number;
  /** The most requests that were under way at the same time, from their sending to their last byte. */
  peakConcurrentRequests: number;
  /** Names of all response header fields, in lower case, sorted, each once. */
  responseHeaderNames: string[];
  /**
   * Hex SHA-256 over URL, status and header fields of every response, `date` and what HTTP/1.1 needs for its connection
   * left out: the same in two loads that were served the same.
   */
  responseHeadersSha256: string;
}

/** How the requests of a load were answered from the recording; servers/README.md has the rules. */
export interface ReplayRecord {
  /** Requests whose whole URL was recorded. */
  exact: number;
  /** Requests that were answered by another query of the same path. */
  byQuery: { asked: string; answered: string }[];
  /** Method and URL of requests that the recording does not have. */
  unknown: string[];
}

/** The browser that a load was made in. */
export interface BrowserRecord {
  /** Its stack and a number, `lsquic-h3.1`: unique among those that were started in a sitting. */
  id: string;
  /** How many loads it had been given before; warm-ups included. */
  loadsBefore: number;
  /** How long ago it was started. */
  ageMs: number;
}

/** How long each step around a load took, in ms: what a load costs beside its page load time. */
export interface HarnessMs {
  /**
   * Making the load's place in a browser, a start included if it needed one. A place is made while the network of the load
   * before goes quiet, so that this is no time of its own.
   */
  prepare: number;
  /** An earlier load, for visits that need one; 0 for cold ones. */
  earlierLoad: number;
  /** From the navigation to the end of the load event, as seen from outside of the browser. */
  load: number;
  /** From the load event until the network was quiet and the page had told its timings. */
  settle: number;
  /** Making and writing the HAR, and holding the load against what it was to be. */
  judge: number;
}

/** One attempted page load: one line of page-loads.jsonl. */
export interface PageLoad {
  formatVersion: typeof RECORD_FORMAT_VERSION;
  /** Unique in the run; also the name of its HAR. */
  id: string;
  /** 1, 2, 3 ... in the order actually run. */
  order: number;
  site: string;
  stack: string;
  protocol: Protocol;
  network: NetworkRecord;
  /** 1 to n; 0 in a warm-up. */
  repetition: number;
  /** The block (every stack once, shuffled) of the site, 1 to n; 0 in a warm-up. */
  block: number;
  /** Loaded, kept, and left out of every statistic. */
  warmup: boolean;
  visit: VisitKind;
  /** null: there was none, or a record of format 3. */
  browser: BrowserRecord | null;
  outcome: Outcome;
  /** Why it is not ok, in one word of results/README.md; null when ok. */
  code: string | null;
  /** The same as a sentence; null when ok. */
  message: string | null;
  timingsMs: TimingsMs;
  /** What the page load time was spent on, told from the HAR; null: it cannot be told. */
  phasesMs: LoadPhasesMs | null;
  traffic: TrafficRecord | null;
  /** null: no HAR could be made. */
  replay: ReplayRecord | null;
  /** As their handshakes were seen on the path; null: nobody looked. */
  connections: LoadConnections | null;
  /** What the load and others took of the machine; null: not watched. */
  machine: MachineUse | null;
  /** Why the machine was not quiet during this load, as a sentence of the run's own rule; null: it was. */
  disturbed: string | null;
  harnessMs: HarnessMs;
  /** What went over the path from the beginning of the load to a quiet network; null: not counted. */
  path: PathCounts | null;
  /** Path relative to the run's folder; null: no HAR could be made. */
  har: string | null;
  /** ISO 8601, UTC. */
  startedAt: string;
  attempt: number;
  /** In which sitting it was made: an id of sittings.jsonl, which knows the machine. */
  sitting: string;
}
