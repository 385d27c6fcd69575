import path from 'node:path';
import type { CongestionControl } from '../../ground/records/congestion-control.ts';
import type { KeyExchange } from '../../ground/records/key-exchange.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { SocketEvent } from '../../ground/records/socket-events.ts';

/** Exchanges messages over a connection: prints an ExchangeResult for each ExchangeRequest on stdin, one line of JSON each. */
export const BUN_EXCHANGE = path.join(import.meta.dirname, 'exchange-program.ts');

export interface ExchangeRequest {
  /** quic, tls or tcp. */
  protocol: Protocol;
  /** Server name (SNI). */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  messageBytes: number;
  /** Number of messages; each is sent after the echo of the previous one. */
  messages: number;
  /** Default: x25519. */
  keyExchange?: KeyExchange;
  /** For QUIC; TCP uses the route's. */
  congestionControl: CongestionControl;
  timeoutMs: number;
}

export interface ExchangeResult {
  /** Times by the machine's monotonic clock. */
  events: SocketEvent[];
  /** Why the exchange failed, as a sentence; null: it succeeded. */
  error: string | null;
  /** Secrets as NSS key log text. */
  keyLog: string;
}
