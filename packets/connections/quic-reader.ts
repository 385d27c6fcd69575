import type { ClientMigration, WireConnection } from '../../ground/records/packets.ts';
import {
  clientOutside,
  type DissectedPacket,
  isAck,
  isLost,
  isStream,
  QUIC_FRAME,
  type QuicFrame,
  type QuicPacket,
} from '../dissection/packet.ts';
import { ackDelayMs, type Space, spaceOf, Unacknowledged } from './acknowledgement.ts';
import { applicationClose, quicClose } from './closes.ts';
import { ConnectionReader, receiverOf, senderOf } from './connection-reader.ts';
import { Http3Streams } from './http3-stream.ts';
import { SentStream } from './sent-bytes.ts';
import { type Direction, OPPOSITE, SENDER } from './wire-counts.ts';

class Sender {
  /** Sent ranges by stream id; of CRYPTO frames by packet type. */
  readonly #streams = new Map<string, SentStream>();
  /** Contents of bidirectional streams. */
  readonly http = new Http3Streams();
  /** Ack-eliciting packets by their number space. */
  readonly #waiting = new Map<string, Unacknowledged>();

  stream(name: string): SentStream {
    return getOrCreate(this.#streams, name, () => new SentStream());
  }

  waitingIn(space: string): Unacknowledged {
    return getOrCreate(this.#waiting, space, () => new Unacknowledged());
  }
}

/** Value of a key, created if missing. */
function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

export class QuicReader extends ConnectionReader {
  readonly transport = 'quic';
  readonly #senders = { toServer: new Sender(), toClient: new Sender() };
  readonly #moves = new ClientMoves();
  #handshakePackets: WireConnection['handshakePackets'] = null;
  readonly #leastMs = { toServer: Number.POSITIVE_INFINITY, toClient: Number.POSITIVE_INFINITY };

  protected read(packet: DissectedPacket, direction: Direction, sinceMs: number): number {
    const { quic = [] } = packet;
    const lost = isLost(packet);
    this.#moves.take(packet, direction, sinceMs);
    this.#readHttp(quic, direction, sinceMs);
    const againBytes = this.#enterDatagram(packet, quic, direction, lost);
    if (lost && direction === 'toClient') this.#noteLost(quic);
    for (const each of quic) {
      if (spaceOf(each) === 'handshake') this.#noteHandshakePacket(sinceMs);
      if (this.takeHandshake(each.handshake ?? [], direction, sinceMs))
        this.sendLastMessage(direction, this.#senders[direction].stream(cryptoOf(each)));
      if (!lost) this.#noteArrival(each, direction, sinceMs);
    }
    return againBytes;
  }

  #noteHandshakePacket(sinceMs: number): void {
    const { firstMs } = this.#handshakePackets ?? { firstMs: sinceMs };
    this.#handshakePackets = { firstMs, lastMs: sinceMs };
  }

  /** Bidirectional streams of the client are requests, numbered in order (RFC 9000, section 2.1; RFC 9114, section 6.1). */
  #noteLost(quic: readonly QuicPacket[]): void {
    for (const { stream } of quic.flatMap(({ frames = [] }) => frames).filter(isStream)) {
      if (stream !== undefined && stream % 4 === 0) this.lostResponses.add(stream / 4 + 1);
    }
  }

  /** Whether the protocol is HTTP/0.9, without headers and frames: a response is its body. */
  get #isBare(): boolean {
    return this.handshake.agreed.protocol?.startsWith('hq') ?? false;
  }

  /** Reads lost packets too: their contents are retransmitted, and count once. */
  #readHttp(quic: readonly QuicPacket[], direction: Direction, sinceMs: number): void {
    if (!this.carriesHttp) return;
    const sender = this.#senders[direction];
    for (const { stream, offset = 0, data } of quic.flatMap(({ frames = [] }) => frames)) {
      if (stream === undefined || data === undefined) continue;
      const http = sender.http.of(stream);
      if (this.#isBare && http.heads === 0) {
        http.heads = 1;
        http.giveUp();
        if (direction === 'toServer') this.sendRequests(1, sinceMs);
      }
      const isRequest = direction === 'toServer' && http.heads === 0;
      const bodyBytes = sender.http.take(stream, offset, Buffer.from(data, 'hex'));
      if (direction === 'toClient' || !this.#isBare) this.sendBodies(direction, bodyBytes);
      if (isRequest && http.heads > 0) this.sendRequests(1, sinceMs);
    }
  }

  #enterDatagram(
    packet: DissectedPacket,
    quic: readonly QuicPacket[],
    direction: Direction,
    lost: boolean,
  ): number {
    // A stateless reset cannot be decrypted.
    if (packet.udp?.connection !== undefined) for (const each of quic) this.#noteOpened(each);
    const paddingBytes = sum(quic.flatMap(({ frames = [] }) => frames).filter(isPadding), bytesOf);
    if (quic.length > 0 && quic.every(onlyAcknowledges)) {
      this.counts[direction].ackPackets += 1;
      this.counts.add(direction, 'padding', paddingBytes);
      this.counts.add(direction, 'acknowledgements', packet.bytes - paddingBytes);
      return 0;
    }
    this.enterHeaders(packet, direction);
    // Bytes after the last packet of a datagram are no packet, unless the file truncated the datagram.
    const isCut = packet.capturedBytes < packet.bytes;
    const restBytes = (packet.udp?.bytes ?? 0) - sum(quic, bytesOf);
    this.counts.add(direction, isCut ? 'unread' : 'padding', restBytes);
    return sum(quic, (each) => this.#enterPacket(each, direction, lost));
  }

  /** Initials can be decrypted without a key log (RFC 9001, section 5.2); Retry and Version Negotiation are not encrypted. */
  #noteOpened(packet: QuicPacket): void {
    const { frames = [], payloadBytes = 0 } = packet;
    if (frames.length === 0) this.encrypted.closed ||= payloadBytes > 0;
    else this.encrypted.opened ||= spaceOf(packet) !== 'initial';
  }

  /** Returns the number of retransmitted bytes. */
  #enterPacket(packet: QuicPacket, direction: Direction, lost: boolean): number {
    const { bytes, payloadBytes = 0, frames = [] } = packet;
    this.counts.add(direction, 'quic', bytes - payloadBytes);
    if (frames.length === 0) {
      this.counts.add(direction, 'unread', payloadBytes);
      return 0;
    }
    this.counts.add(direction, 'quic', payloadBytes - sum(frames, bytesOf));
    return sum(frames, (frame) => this.#enterFrame(frame, packet, direction, lost));
  }

  #enterFrame(frame: QuicFrame, packet: QuicPacket, direction: Direction, lost: boolean): number {
    const { bytes, dataBytes = 0, offset = 0, type } = frame;
    if (isPadding(frame)) this.counts.add(direction, 'padding', bytes);
    else if (isAck(frame)) this.counts.add(direction, 'acknowledgements', bytes);
    else this.counts.add(direction, 'quic', bytes - dataBytes);
    const isCrypto = type === QUIC_FRAME.crypto;
    if (!isCrypto && !isStream(frame)) return 0;
    const stream = isCrypto ? cryptoOf(packet) : String(frame.stream);
    const freshBytes = this.#senders[direction].stream(stream).send(offset, dataBytes, lost);
    const layer = isCrypto ? 'handshake' : this.carriesHttp ? 'http' : 'unread';
    this.counts.add(direction, layer, freshBytes);
    this.counts.add(direction, 'retransmissions', dataBytes - freshBytes);
    return dataBytes - freshBytes;
  }

  #noteArrival(packet: QuicPacket, direction: Direction, sinceMs: number): void {
    const space = spaceOf(packet);
    const { number, frames = [] } = packet;
    if (number !== undefined && frames.some(wantsAcknowledgement))
      this.#senders[direction].waitingIn(space).send(number, sinceMs);
    for (const frame of frames) {
      if (isAck(frame)) this.#acknowledge(frame, space, direction, sinceMs);
      else if (frame.type === QUIC_FRAME.handshakeDone) this.confirmedMs ??= sinceMs;
      else if (frame.type === QUIC_FRAME.close) this.close(direction, quicClose(frame.error ?? 0));
      else if (frame.type === QUIC_FRAME.closeByApplication) {
        this.close(direction, applicationClose(frame.error ?? 0));
      }
    }
  }

  #acknowledge(frame: QuicFrame, space: Space, direction: Direction, sinceMs: number): void {
    const { largest = -1 } = frame;
    const sentMs = this.#senders[OPPOSITE[direction]].waitingIn(space).acknowledge(largest);
    if (sentMs === null) return;
    const wholeMs = sinceMs - sentMs;
    this.#leastMs[direction] = Math.min(this.#leastMs[direction], wholeMs);
    // Subtracts the reported acknowledgement delay, but not below the minimum (RFC 9002, section 5.3).
    const withoutMs =
      wholeMs - ackDelayMs(frame, space, this.handshake.ackDelayExponent[direction]);
    this.roundTrips.add(
      SENDER[direction],
      withoutMs >= this.#leastMs[direction] ? withoutMs : wholeMs,
    );
  }

  override figures(): WireConnection {
    return {
      ...super.figures(),
      handshakePackets: this.#handshakePackets,
      moves: this.#moves.figures(),
    };
  }

  protected override finish(): void {
    for (const direction of ['toServer', 'toClient'] as const)
      this.sendBodies(direction, this.#senders[direction].http.giveUp());
  }
}

/** Name of the stream of a packet's CRYPTO frames. */
function cryptoOf(packet: QuicPacket): string {
  return `crypto ${spaceOf(packet)}`;
}

function onlyAcknowledges({ frames = [] }: QuicPacket): boolean {
  return frames.some(isAck) && frames.every((frame) => isAck(frame) || isPadding(frame));
}

/** Whether a frame is ack-eliciting: all except ACK, PADDING and CONNECTION_CLOSE (RFC 9002, section 2). */
export function wantsAcknowledgement(frame: QuicFrame): boolean {
  const { type } = frame;
  return (
    !isAck(frame) &&
    !isPadding(frame) &&
    type !== QUIC_FRAME.close &&
    type !== QUIC_FRAME.closeByApplication
  );
}

function isPadding({ type }: QuicFrame): boolean {
  return type === QUIC_FRAME.padding;
}

function bytesOf({ bytes }: { bytes: number }): number {
  return bytes;
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}

/** Follows a QUIC client through port changes, and the server's path validation (RFC 9000, section 8.2). */
class ClientMoves {
  /** Migrations by the `ip:port` that the client moved to; null: its first address. */
  readonly #places = new Map<string, ClientMigration | null>();

  /** @param sinceMs since the connection's first packet */
  take(packet: DissectedPacket, direction: Direction, sinceMs: number): void {
    const isClients = direction === 'toServer';
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

  figures(): ClientMigration[] {
    return [...this.#places.values()].filter((move) => move !== null);
  }
}
