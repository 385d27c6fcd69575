import type { PathMove } from '../../records/packets.ts';
import { clientOutside, type DissectedPacket, isLost, QUIC_FRAME } from '../dissection/packet.ts';
import { receiverOf, senderOf } from './connection-reader.ts';
import type { Way } from './ledger.ts';

/** Follows a client of QUIC from port to port, and how the server makes sure of each (path validation, RFC 9000, section 8.2). */
export class Moves {
  readonly #found: PathMove[] = [];
  #client: string | null = null;

  /** Takes a packet; @param sinceMs since the connection's first one */
  take(packet: DissectedPacket, way: Way, sinceMs: number): void {
    const frames = (packet.quic ?? []).flatMap(({ frames = [] }) => frames);
    const has = (type: number) => frames.some((frame) => frame.type === type);
    if (way === 'toServer') this.#sendFrom(clientOutside(packet) ?? senderOf(packet), sinceMs);
    const move = this.#found.at(-1);
    if (!move || isLost(packet)) return;
    const isToClient =
      way === 'toClient' && (clientOutside(packet) ?? receiverOf(packet)) === move.client;
    if (isToClient && has(QUIC_FRAME.pathChallenge)) move.challengedMs ??= sinceMs;
    if (way !== 'toServer' || move.challengedMs === null) return;
    if (has(QUIC_FRAME.pathResponse)) move.answeredMs ??= sinceMs;
  }

  #sendFrom(client: string, sinceMs: number): void {
    if (this.#client !== null && client !== this.#client) {
      this.#found.push({ client, beganMs: sinceMs, challengedMs: null, answeredMs: null });
    }
    this.#client = client;
  }

  /** What is known when the last packet was read. */
  figures(): PathMove[] {
    return this.#found;
  }
}
