import type { NetLogConnection } from './connection.ts';

/** A connection, and the times of its use. */
export interface ObservedConnection {
  connection: NetLogConnection;
  /** When its set-up began, on the clock of `netLogNowMs()`. */
  beganMs: number;
  /** When its TLS handshake began, which may have used a ticket; null: no handshake. */
  handshakeBeganMs: number | null;
  /** When it last got a request; null: never. */
  lastRequestMs: number | null;
}
