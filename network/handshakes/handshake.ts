import type { Message } from './hello.ts';
import type { Packet } from './packet.ts';

/** The handshake of one connection, as far as its packets were seen. */
export interface Handshake {
  /** The packet that began it. */
  readonly first: Packet;
  /** Takes a later packet between the same ends; false: it begins another connection. */
  take(packet: Packet): boolean;
  clientMessages(): Message[];
  serverMessages(): Message[];
  /** What the server says after its hello, opened with its secret. */
  encryptedMessages(secret: Buffer): Message[];
  /** Whether something of the client, or of the server, came that ought to hold its hello. */
  readonly clientSpoke: boolean;
  readonly serverSpoke: boolean;
  /** The version of QUIC that the server's hello came in; null: TCP, or it was not seen. */
  readonly quicVersion: number | null;
}
