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
  /** Whether something of the client came that ought to hold its hello. */
  readonly clientSpoke: boolean;
  /** The same of the server. A hello of which the path lost a part has not arrived, so that it ought not. */
  readonly serverSpoke: boolean;
  /** When the first bytes of the client's hello, and of the server's, were seen, since 1970; null: they were not. */
  readonly clientHelloNs: bigint | null;
  readonly serverHelloNs: bigint | null;
  /** The version of QUIC that the server's hello came in; null: TCP, or it was not seen. */
  readonly quicVersion: number | null;
}
