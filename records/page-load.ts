import type { NetworkRecord, PathCounts } from './network.ts';

/** The version of page-loads.jsonl and run.json that this code writes; results/README.md describes it. */
export const RECORD_FORMAT_VERSION = 1;

/** The protocol of a response in the words of HAR 1.2's httpVersion. */
export type Protocol = 'h3' | 'h2' | 'http/1.1';

export type Outcome = 'ok' | 'failed' | 'invalid';

/** Durations in ms, unrounded; null where the load has no such number. results/README.md defines each. */
export interface TimingsMs {
  pageLoad: number | null;
  documentTime: number | null;
  firstByte: number | null;
  connect: number | null;
  domContentLoaded: number | null;
  firstContentfulPaint: number | null;
  largestContentfulPaint: number | null;
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
  /** Protocol to number of responses. */
  protocols: Record<string, number>;
  /** Of the main document, as Chromium says it: `QUIC`, `TLS 1.3`. */
  tlsVersion: string | null;
  cipher: string | null;
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
  visit: 'cold';
  outcome: Outcome;
  /** Why it is not ok, in one word of results/README.md; null when ok. */
  code: string | null;
  /** The same as a sentence; null when ok. */
  message: string | null;
  timingsMs: TimingsMs;
  traffic: TrafficRecord | null;
  /** What went over the path from the start of the browser to its end; null: not counted. */
  path: PathCounts | null;
  /** Path relative to the run's folder; null: no HAR could be made. */
  har: string | null;
  /** ISO 8601, UTC. */
  startedAt: string;
  attempt: number;
}
