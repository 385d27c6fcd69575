import type { NetLogConnection } from './connection.ts';

/** A connection, and when it was used. */
export interface ObservedConnection {
  connection: NetLogConnection;
  /** When its set-up began, on the clock of `netLogNowMs()`. */
  beganMs: number;
  /** When its TLS handshake began, with which it may have used a ticket; null: it came to none. */
  handshakeBeganMs: number | null;
  /** When it was last given a request; null: never. */
  lastRequestMs: number | null;
}
