import type { Layer } from '../../ground/records/packets.ts';
import {
  type DissectedPacket,
  HTTP_FRAME,
  type Http1Message,
  isLost,
  TCP_FLAG,
  type TcpSegment,
  TLS_RECORD,
  type TlsRecord,
} from '../dissection/packet.ts';
import { Unacknowledged } from './acknowledgement.ts';
import { alertClose, goAwayClose, resetClose } from './closes.ts';
import { ConnectionReader } from './connection-reader.ts';
import { SentStream } from './sent-bytes.ts';
import { type Direction, OPPOSITE, SENDER } from './wire-counts.ts';

/** Overhead of an encrypted record: header and, in TLS 1.3 (RFC 8446, section 5.2), the type and a tag of 16 bytes. */
const RECORD_HEAD_BYTES = 5;
const SEAL_BYTES_1_3 = 17;
/** A tag and, except for ChaCha20, 8 bytes of the nonce (RFC 5288, section 3; RFC 7905, section 2). */
const TAG_BYTES = 16;
const NONCE_BYTES = 8;

const NO_SEAL = { isSealed: false, isOpen: false };

export class TcpReader extends ConnectionReader {
  readonly transport = 'tcp';
  readonly #sent = { toServer: new SentStream(), toClient: new SentStream() };
  /** Ends of unacknowledged segments. */
  readonly #waiting = { toServer: new Unacknowledged(), toClient: new Unacknowledged() };
  readonly #nearest = { toServer: 0, toClient: 0 };
  /** Bytes sent, but not yet read as part of a record. */
  readonly #unreadBytes = { toServer: 0, toClient: 0 };
  /** Up to TLS 1.2: whether a side encrypts already, and whether keys are known. */
  readonly #seals = { toServer: NO_SEAL, toClient: NO_SEAL };
  /** HTTP/1.1: for each request without a response, whether its method excludes a body. */
  readonly #asksForHead: boolean[] = [];
  #endsInOrder = false;
  /** Numbers of requests from 1, by HTTP/2 stream. */
  readonly #requestOf = new Map<number, number>();
  #responses = 0;
  /** Whether unread bytes include bytes of a lost packet. */
  #lostOfNext = false;

  protected read(packet: DissectedPacket, direction: Direction, sinceMs: number): number {
    const { tcp, http1 = [], http2 = [], records = [] } = packet;
    if (!tcp) return 0;
    const lost = isLost(packet);
    const requests = [...http1, ...http2].filter(({ path }) => path !== undefined);
    if (direction === 'toServer') this.sendRequests(requests.length, sinceMs);
    const againBytes = this.#enterSegment(packet, tcp, direction, lost, sinceMs);
    for (const record of records) this.#enterRecord(record, direction);
    for (const { stream } of http2.filter(
      ({ path }) => direction === 'toServer' && path !== undefined,
    )) {
      if (stream !== undefined) this.#requestOf.set(stream, this.#requestOf.size + 1);
    }
    if (direction === 'toClient')
      this.#noteLost(packet, lost && tcp.bytes > againBytes && this.counts.requested);
    const said = records.flatMap(({ handshake = [] }) => handshake);
    if (this.takeHandshake(said, direction, sinceMs))
      this.sendLastMessage(direction, this.#sent[direction]);
    const data = http2.filter(({ type }) => type === HTTP_FRAME.data);
    for (const { contentBytes = 0 } of data) this.sendBodies(direction, contentBytes);
    for (const message of http1) this.sendBodies(direction, this.#bodyBytesOf(message));
    this.#noteCloses(packet, tcp, direction);
    // A reset may answer a late packet after any time: it is no round-trip sample.
    if (!lost && (tcp.flags & TCP_FLAG.reset) === 0) this.#acknowledge(tcp, direction, sinceMs);
    return againBytes;
  }

  /** Frames and messages are reported where they end: one that began in a lost packet comes with a later packet. */
  #noteLost({ http1 = [], http2 = [] }: DissectedPacket, lost: boolean): void {
    const responses = [
      ...http1.flatMap(({ status = 0 }) => (status >= 200 ? ++this.#responses : [])),
      ...http2.flatMap(({ stream = 0 }) => this.#requestOf.get(stream) ?? []),
    ];
    if (lost || this.#lostOfNext) {
      for (const response of responses) this.lostResponses.add(response);
    }
    const ended = http1.length + http2.length;
    if (lost) this.#lostOfNext = this.#unreadBytes.toClient > 0 || ended === 0;
    else if (ended > 0) this.#lostOfNext = false;
  }

  /** A response may announce the length of a body that it does not have (RFC 9112, section 6.3). */
  #bodyBytesOf({ method, status = 0, bodyBytes, chunkBytes }: Http1Message): number {
    const namedBytes = chunkBytes ?? bodyBytes ?? 0;
    if (method !== undefined) {
      this.#asksForHead.push(method === 'HEAD');
      return namedBytes;
    }
    // Another response follows an interim one.
    if (status < 200) return 0;
    const asksForHead = this.#asksForHead.shift() ?? false;
    return asksForHead || status === 204 || status === 304 ? 0 : namedBytes;
  }

  #enterSegment(
    packet: DissectedPacket,
    { bytes, flags, sequence }: TcpSegment,
    direction: Direction,
    lost: boolean,
    sinceMs: number,
  ): number {
    if (bytes === 0 && (flags & (TCP_FLAG.syn | TCP_FLAG.fin | TCP_FLAG.reset)) === 0) {
      this.counts[direction].ackPackets += 1;
      this.counts.add(direction, 'acknowledgements', packet.bytes);
      return 0;
    }
    this.enterHeaders(packet, direction);
    const begin = this.#unwrapped(sequence, direction) + (flags & TCP_FLAG.syn ? 1 : 0);
    const freshBytes = this.#sent[direction].send(begin, bytes, lost);
    this.#unreadBytes[direction] += freshBytes;
    const againBytes = bytes - freshBytes;
    this.counts.add(direction, 'retransmissions', againBytes);
    const end = begin + bytes + (flags & TCP_FLAG.fin ? 1 : 0);
    this.#waiting[direction].send(end, againBytes > 0 ? null : sinceMs);
    return againBytes;
  }

  #acknowledge({ acknowledged, flags }: TcpSegment, direction: Direction, sinceMs: number): void {
    if ((flags & TCP_FLAG.ack) === 0) return;
    const sender = OPPOSITE[direction];
    const upTo = this.#unwrapped(acknowledged, sender);
    const sentMs = this.#waiting[sender].acknowledge(upTo);
    if (sentMs !== null) this.roundTrips.add(SENDER[direction], sinceMs - sentMs);
    const finishedAt = this.clientFinishedAt;
    if (direction === 'toClient' && finishedAt !== null && upTo >= finishedAt)
      this.confirmedMs ??= sinceMs;
  }

  /** A sequence number of 32 bits as the stream offset nearest to the last one. */
  #unwrapped(sequence: number, direction: Direction): number {
    const nearest = this.#nearest[direction];
    const turn = 2 ** 32;
    const found = sequence + Math.round((nearest - sequence) / turn) * turn;
    this.#nearest[direction] = Math.max(nearest, found);
    return found;
  }

  #enterRecord(record: TlsRecord, direction: Direction): void {
    const { type, handshake = [] } = record;
    // tshark may dissect a record twice.
    const bytes = Math.min(record.bytes, this.#unreadBytes[direction]);
    this.#unreadBytes[direction] -= bytes;
    const isHandshake = type === TLS_RECORD.handshake;
    const before = this.#seals[direction];
    // The first encrypted record is the last handshake message: keys for it open the rest.
    if (before.isSealed && isHandshake)
      this.#seals[direction] = { ...before, isOpen: handshake.length > 0 };
    const { isSealed, isOpen } = this.#sealOf(record, direction);
    if (isSealed) this.encrypted[isOpen ? 'opened' : 'closed'] = true;
    const headBytes = Math.min(bytes, RECORD_HEAD_BYTES + (isSealed ? this.#sealBytes(record) : 0));
    this.counts.add(direction, 'tls', headBytes);
    this.counts.add(
      direction,
      isSealed && !isOpen ? 'unread' : this.#layerOf(type),
      bytes - headBytes,
    );
    if (type === TLS_RECORD.changeCipherSpec)
      this.#seals[direction] = { ...before, isSealed: true };
  }

  #sealOf({ sealed = false, type }: TlsRecord, direction: Direction): typeof NO_SEAL {
    if (sealed) return { isSealed: true, isOpen: type !== undefined };
    // In TLS 1.3 ChangeCipherSpec has no meaning (RFC 8446, appendix D.4).
    if (this.handshake.agreed.tlsVersion === 'TLS 1.3') return NO_SEAL;
    const { isSealed, isOpen } = this.#seals[direction];
    return { isSealed: isSealed || type === TLS_RECORD.data, isOpen };
  }

  #sealBytes({ sealed = false }: TlsRecord): number {
    if (sealed) return SEAL_BYTES_1_3;
    return this.handshake.agreed.cipher?.includes('CHACHA20') ? TAG_BYTES : TAG_BYTES + NONCE_BYTES;
  }

  #layerOf(type: number | undefined): Layer {
    if (type === TLS_RECORD.handshake) return 'handshake';
    if (type === TLS_RECORD.data) return this.carriesHttp ? 'http' : 'unread';
    return 'tls';
  }

  #noteCloses(
    { alerts = [], http2 = [] }: DissectedPacket,
    { flags }: TcpSegment,
    direction: Direction,
  ): void {
    for (const { error } of http2)
      if (error !== undefined) this.close(direction, goAwayClose(error));
    for (const { code } of alerts) {
      if (code === undefined) continue;
      const said = alertClose(code);
      // Some programs report an end without close_notify (OpenSSL: decode_error) after all data.
      this.close(direction, { ...said, isError: said.isError && !this.#endsInOrder });
      this.#endsInOrder ||= !said.isError;
    }
    if (flags & TCP_FLAG.fin) this.#endsInOrder = true;
    // A reset after a normal close only means that the socket is gone.
    if (flags & TCP_FLAG.reset)
      this.close(direction, { ...resetClose(), isError: !this.#endsInOrder });
  }

  protected override finish(): void {
    for (const direction of ['toServer', 'toClient'] as const) {
      const isPlain = !this.encrypted.opened && !this.encrypted.closed && this.requests > 0;
      this.counts.add(direction, isPlain ? 'http' : 'unread', this.#unreadBytes[direction]);
      this.#unreadBytes[direction] = 0;
    }
  }
}
