import type { CongestionControl } from '../ground/records/congestion-control.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { QuicConnection } from '../ground/records/quic-sample.ts';
import type { PageServer } from './chromium/running-browser.ts';

export const DIRECTIONS = ['download', 'upload'] as const;

/** Which way the body of a transfer goes, as its client sees it. */
export type Direction = (typeof DIRECTIONS)[number];

/** Bodies that are to be transferred over connections that are made for them, and closed behind them. */
export interface TransferRequest {
  /** h3, h2 or http/1.1. */
  protocol: Protocol;
  /** The name to ask for (SNI, :authority). */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  direction: Direction;
  /** What is asked for by GET, or sent to by POST. */
  path: string;
  /** Of all bodies together; each of the streams has an equal part: of a download a range of the file, the whole without one. */
  bytes: number;
  /** Requests at once: streams of one connection; by HTTP/1.1 a connection each. */
  streams: number;
  /** The most that may be on its way on one stream before the client has read it, in bytes; null: what the client has by itself. */
  streamWindowBytes: number | null;
  /** The same for a whole connection by QUIC; by TCP that is the kernel's window. */
  connectionWindowBytes: number | null;
  /** What a key is offered for, by clients that can be asked; absent: the usual one. */
  keyExchange?: KeyExchange;
  /** Of the client's own transport, which sends uploads; null: what the client has by itself. */
  congestionControl: CongestionControl | null;
  /** After so long what is there is counted and the rest given up, which is no error; parts that end earlier are asked for again; null: to the end. */
  durationMs: number | null;
  timeoutMs: number;
}

/** Bytes of bodies that were there at a moment. */
interface BytesAt {
  /** In ms since the transfer was asked for. */
  atMs: number;
  bytes: number;
}

/** What became of a transfer. Times are in ms since it was asked for; null: it never came to that. */
export interface TransferResult {
  /** When it was asked for, by the machine's monotonic clock, in ms. */
  askedAtMs: number;
  /** The client may send its first request. */
  connectMs: number | null;
  /** The first byte of a body was there; of an upload, was handed to the connection. */
  firstByteMs: number | null;
  /** The last byte of all bodies was there; of an upload, the server's last answer was. */
  lastByteMs: number | null;
  /** Bytes of bodies that were there; of an upload, that were handed over. */
  bodyBytes: number;
  /** About every 100 ms, and at the end. */
  series: BytesAt[];
  /** Why it came to no end: a word for programs, and a sentence; null: it did. */
  error: { code: TransferErrorCode; reason: string } | null;
  /** Its secrets, as text of an NSS key log; empty: not known. */
  keyLog: string;
  /** Its connections by QUIC as its own transport knew them, of an upload. Absent: it does not tell. */
  transport?: QuicConnection[];
  /** Of the client's end of its connections, in the order made. Absent: it does not tell. */
  clientPorts?: number[];
}

/**
 * connect-failed: no connection; http-error: another status than was expected; cut-off: the connection or a stream ended before its
 * body did; timeout: not done in time; client-failed: all else.
 */
export type TransferErrorCode =
  | 'connect-failed'
  | 'http-error'
  | 'cut-off'
  | 'timeout'
  | 'client-failed';

/** A program that transfers, one transfer after the other. */
export interface TransferClient {
  /** Of its first process. */
  pid: number;
  /** Whether it is to be closed, and another one started, before the next block. */
  readonly isWorn: boolean;
  /** Leaves what there is of the transfer before, and makes ready for the next one. Nothing of that goes over the path. */
  prepare(): Promise<void>;
  /** @throws Error when the program has ended, or was not made ready */
  transfer(request: TransferRequest): Promise<TransferResult>;
  /** Leaves nothing of a transfer. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Where a client that transfers runs. */
export interface TransferEnvironment {
  programs: { bun: string; chromium: string };
  enter: readonly string[];
  /** Of which one is the arm's. */
  servers: readonly PageServer[];
  /** The address of the site. */
  url: string;
  signal?: AbortSignal;
}

/** Starts a client that transfers, for one arm. */
export type StartTransferClient = (
  arm: string,
  place: TransferEnvironment,
) => Promise<TransferClient>;
