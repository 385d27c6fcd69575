import type { CongestionControl } from '../ground/records/congestion-control.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import type { QuicConnection } from '../ground/records/quic-sample.ts';
import type { PageServer } from './chromium/running-browser.ts';

export const DIRECTIONS = ['download', 'upload'] as const;

/** Direction of the body, from the client's view. */
export type Direction = (typeof DIRECTIONS)[number];

/** A transfer over new connections, which are closed afterwards. */
export interface TransferRequest {
  /** h3, h2 or http/1.1. */
  protocol: Protocol;
  /** Server name (SNI, :authority). */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  direction: Direction;
  path: string;
  /** Total size. Each stream has an equal part: in a download a range of the file, with one stream the whole file. */
  bytes: number;
  /** Simultaneous requests: streams of one connection; over HTTP/1.1 one connection each. */
  streams: number;
  /** Flow-control window of a stream; null: the client's default. */
  streamWindowBytes: number | null;
  /** Flow-control window of a QUIC connection; over TCP the kernel sets it. null: the client's default. */
  connectionWindowBytes: number | null;
  /** Default: x25519. */
  keyExchange?: KeyExchange;
  /** Congestion control for uploads over QUIC; null: the client's default. */
  congestionControl: CongestionControl | null;
  /** Duration after which a transfer stops without error; repeats parts that end earlier. null: transfers all bytes once. */
  durationMs: number | null;
  timeoutMs: number;
}

/** Body bytes transferred by a point in time. */
interface BytesAt {
  /** In ms since the request. */
  atMs: number;
  bytes: number;
}

/** Result of a transfer. Times are in ms since the request; null: not reached. */
export interface TransferResult {
  /** Time of the request, by the machine's monotonic clock. */
  requestedAtMs: number;
  /** When the client may send its first request. */
  connectMs: number | null;
  /** First body byte received; in uploads, handed to the connection. */
  firstByteMs: number | null;
  /** Last body byte received; in uploads, the end of the server's last response. */
  lastByteMs: number | null;
  /** Body bytes received; in uploads, handed over. */
  bodyBytes: number;
  /** About every 100 ms, and at the end. */
  series: BytesAt[];
  /** null: success. */
  error: { code: TransferErrorCode; reason: string } | null;
  /** Secrets as NSS key log text; empty: unknown. */
  keyLog: string;
  /** State of the client's QUIC connections in an upload. Absent: not reported. */
  transport?: QuicConnection[];
  /** Local ports, in order of the connections. Absent: not reported. */
  clientPorts?: number[];
  /** The server's own time by the first Server-Timing of a response. Absent: not reported. */
  serverMs?: number;
}

/**
 * connect-failed: no connection; http-error: unexpected status or version; cut-off: the connection or a stream ended before its
 * body; client-failed: any other error.
 */
export type TransferErrorCode =
  | 'connect-failed'
  | 'http-error'
  | 'cut-off'
  | 'timeout'
  | 'client-failed';

/** A program that carries out one transfer at a time. */
export interface TransferClient {
  /** PID of its first process. */
  pid: number;
  /** Whether to replace it before the next block. */
  readonly isWorn: boolean;
  /** Cleans up after the previous transfer and prepares the next, without traffic on the path. */
  prepare(): Promise<void>;
  /** @throws Error if the program has ended, or prepare() was not called */
  transfer(request: TransferRequest): Promise<TransferResult>;
  /** Cleans up after a transfer. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export interface TransferEnvironment {
  programs: { bun: string; chromium: string };
  enter: readonly string[];
  /** Servers, the arm's among them. */
  servers: readonly PageServer[];
  /** URL of the site. */
  url: string;
  signal?: AbortSignal;
}

/** Starts a client that transfers, for one arm. */
export type StartTransferClient = (
  arm: string,
  environment: TransferEnvironment,
) => Promise<TransferClient>;
