import type { PathMove } from '../../ground/records/packets.ts';
import { clientOutside, type DissectedPacket, isLost, QUIC_FRAME } from '../dissection/packet.ts';
import { receiverOf, senderOf } from './connection-reader.ts';
import type { Way } from './ledger.ts';

/** Follows a client of QUIC from port to port, and how the server makes sure of each (path validation, RFC 9000, section 8.2). */
export class Moves {
  /** By `ip:port` of the client; null: it began there. */
  readonly #places = new Map<string, PathMove | null>();

  /** Takes a packet; @param sinceMs since the connection's first one */
  take(packet: DissectedPacket, way: Way, sinceMs: number): void {
    const isClients = way === 'toServer';
    const place = clientOutside(packet) ?? (isClients ? senderOf : receiverOf)(packet);
    if (isClients) this.#sendFrom(place, sinceMs);
    const move = this.#places.get(place);
    if (!move || isLost(packet)) return;
    const frames = (packet.quic ?? []).flatMap(({ frames = [] }) => frames);
    const has = (type: number) => frames.some((frame) => frame.type === type);
    if (!isClients && has(QUIC_FRAME.pathChallenge)) move.challengedMs ??= sinceMs;
    const answers = isClients && move.challengedMs !== null && has(QUIC_FRAME.pathResponse);
    if (answers) move.answeredMs ??= sinceMs;
  }

  #sendFrom(client: string, beganMs: number): void {
    if (this.#places.has(client)) return;
    const move = { client, beganMs, challengedMs: null, answeredMs: null };
    this.#places.set(client, this.#places.size === 0 ? null : move);
  }

  /** What is known when the last packet was read. */
  figures(): PathMove[] {
    return [...this.#places.values()].filter((move) => move !== null);
  }
}
