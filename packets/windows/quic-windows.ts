import type { PacketRange } from '../../network/handshakes/acknowledged.ts';
import { ackDelayMs, ackedRanges, type Space, spaceOf } from '../connections/acknowledgement.ts';
import type { CapturedPacket } from '../connections/capture-reader.ts';
import { TlsHandshake } from '../connections/connection-reader.ts';
import { InFlight } from '../connections/in-flight.ts';
import { wantsAcknowledgement } from '../connections/quic-reader.ts';
import { isAck, isLost, QUIC_FRAME, type QuicPacket } from '../dissection/packet.ts';
import type { ConnectionWindows, WindowPoint } from './load-windows.ts';

/** An event of the server's packets; its time is the server's, apart from the one-way delay. */
type PacketChange =
  | { kind: 'sent'; space: Space; number: number; bytes: number }
  | { kind: 'acknowledged'; space: Space; ranges: readonly PacketRange[]; waitedMs: number }
  | { kind: 'discarded'; space: Space };

/** Time from the capture of an event to the event at the server, in one-way delays. */
type OneWayTrips = -1 | 1;

/**
 * Estimates the bytes in flight of a load's servers over QUIC from packets captured at the client's end: a received packet left the
 * server half of the minimum round trip before, and an acknowledgement reaches it half a round trip later. Packets that wait in a queue
 * are in flight longer. Memory grows with the number of packets.
 */
export class QuicWindows {
  readonly #beginMs: number;
  readonly #connections = new Map<number, Connection>();

  /** @param beginMs when the load began, in ms since 1970 */
  constructor(beginMs: number) {
    this.#beginMs = beginMs;
  }

  take({ packet, connection, direction }: CapturedPacket): void {
    if (connection === null || direction === null || !packet.quic) return;
    const found = this.#connections.get(connection) ?? new Connection(connection);
    this.#connections.set(connection, found);
    const atMs = packet.s * 1000 + packet.ns / 1e6 - this.#beginMs;
    for (const each of packet.quic) {
      if (direction === 'toServer') found.takeOfClient(each, atMs, isLost(packet));
      else found.takeOfServer(each, atMs, isLost(packet));
    }
  }

  windows(): ConnectionWindows[] {
    return [...this.#connections.values()].map((connection) => connection.windows());
  }
}

class Connection {
  readonly #number: number;
  readonly #handshake = new TlsHandshake();
  /** Sets the one-way delay. */
  readonly #client = new InFlight();
  readonly #happenings: { atMs: number; ways: OneWayTrips; what: PacketChange }[] = [];

  constructor(number: number) {
    this.#number = number;
  }

  takeOfClient(packet: QuicPacket, atMs: number, isLost: boolean): void {
    const { frames = [], handshake = [], number, bytes } = packet;
    const space = spaceOf(packet);
    this.#handshake.take(handshake, 'toServer');
    if (number !== undefined && frames.some(wantsAcknowledgement)) {
      this.#client.send(space, number, { bytes, atMs });
    }
    if (isLost) return;
    const exponent = this.#handshake.ackDelayExponent.toServer;
    for (const frame of frames.filter(isAck)) {
      const waited = ackDelayMs(frame, space, exponent);
      const ranges = ackedRanges(frame);
      this.#add(atMs, 1, { kind: 'acknowledged', space, ranges, waitedMs: waited });
    }
    if (space === 'handshake') this.#add(atMs, 1, { kind: 'discarded', space: 'initial' });
  }

  takeOfServer(packet: QuicPacket, atMs: number, isLost: boolean): void {
    const { frames = [], handshake = [], number, bytes } = packet;
    const space = spaceOf(packet);
    if (number !== undefined && frames.some(wantsAcknowledgement)) {
      this.#add(atMs, -1, { kind: 'sent', space, number, bytes });
    }
    if (frames.some(({ type }) => type === QUIC_FRAME.handshakeDone)) {
      this.#add(atMs, -1, { kind: 'discarded', space: 'handshake' });
    }
    if (isLost) return;
    this.#handshake.take(handshake, 'toClient');
    for (const frame of frames.filter(isAck)) {
      const waited = ackDelayMs(frame, space, this.#handshake.ackDelayExponent.toClient);
      this.#client.acknowledge(space, ackedRanges(frame), atMs, waited);
    }
  }

  windows(): ConnectionWindows {
    const oneWayMs = (this.#client.roundTrip?.minMs ?? 0) / 2;
    const server = new InFlight();
    const points = this.#happenings
      .map(({ atMs, ways, what }) => ({ what, atMs: atMs + ways * oneWayMs }))
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ atMs, what }): WindowPoint => {
        applyChange(server, what, atMs);
        const { bytes, roundTrip } = server;
        const rttMs = roundTrip?.smoothedMs ?? null;
        return { atMs, cwndBytes: null, inFlightBytes: bytes, rttMs };
      });
    return { name: this.#handshake.agreed.host ?? `connection ${this.#number + 1}`, points };
  }

  #add(atMs: number, ways: OneWayTrips, what: PacketChange): void {
    this.#happenings.push({ atMs, ways, what });
  }
}

function applyChange(server: InFlight, what: PacketChange, atMs: number): void {
  const { space } = what;
  if (what.kind === 'sent') server.send(space, what.number, { bytes: what.bytes, atMs });
  else if (what.kind === 'discarded') server.discard(space);
  else server.acknowledge(space, what.ranges, atMs, what.waitedMs);
}
