import type { ConnectionRecord } from '../../records/connection.ts';

/** A connection, and when it was used. */
export interface ObservedConnection {
  connection: ConnectionRecord;
  /** When its set-up began, on the clock of `netLogNowMs()`. */
  beganMs: number;
  /** When it was last given a request; null: never. */
  lastRequestMs: number | null;
}
