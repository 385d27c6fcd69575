import type { Resumption } from '../ground/records/connection-attempt.ts';
import type { KeyExchange } from '../ground/records/key-exchange.ts';
import type { Via } from '../ground/records/via.ts';
import type { Runtime } from '../ground/runtimes/runtime.ts';

/** A program that makes connections, as it describes itself: all that others know of it. What it does is in connector.ts. */
export interface ConnectingClient {
  /** Its folder. */
  name: string;
  /** For tables and headings. */
  label: string;
  /** What a connection can take over, by each way that it knows. */
  resumptions: Readonly<Partial<Record<Via, readonly Resumption[]>>>;
  /** Those that it can offer a key for. */
  keyExchanges: readonly KeyExchange[];
  /** Whether its requests leave before the server's last message of a full handshake by TLS 1.2 (False Start, RFC 7918). */
  startsEarly?: boolean;
  /** What runs it, which set-up brings when it is asked to; null: this machine's Bun. */
  runtime: Required<Omit<Runtime, 'arguments'>> | null;
  /** The file that is run. */
  program: string;
}
