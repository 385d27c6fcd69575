import path from 'node:path';
import type { CongestionControl } from '../../ground/records/congestion-control.ts';
import type { KeyExchange } from '../../ground/records/key-exchange.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { SocketEvent } from '../../ground/records/socket-events.ts';

/** Exchanges messages over a connection: prints an ExchangeMade for each AskedExchange on its stdin, lines of JSON; run by Bun. */
export const BUN_EXCHANGE = path.join(import.meta.dirname, 'exchange-program.ts');

/** A connection that is to be made, used and closed. */
export interface ExchangeRequest {
  /** quic, tls or tcp. */
  protocol: Protocol;
  /** The name to ask for (SNI). */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  messageBytes: number;
  /** How many are sent, each once the one before has come back. */
  messages: number;
  /** What a key is offered for; absent: the usual one. */
  keyExchange?: KeyExchange;
  /** By QUIC; TCP has that of its route. */
  congestionControl: CongestionControl;
  timeoutMs: number;
}

/** What became of it. */
export interface ExchangeResult {
  /** By the monotonic clock of the machine. */
  events: SocketEvent[];
  /** Why it came to no end, as a sentence; null: it did. */
  error: string | null;
  /** Its secrets, as text of an NSS key log. */
  keyLog: string;
}
