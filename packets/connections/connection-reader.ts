import type { WireClose, WireConnection } from '../../ground/records/packets.ts';
import { cipherSuiteName, groupName, tlsVersionName } from '../../ground/records/wire-names.ts';
import { quantileOfSorted } from '../../statistics/quantile.ts';
import {
  type DissectedPacket,
  HANDSHAKE,
  type HandshakeMessage,
  isEarlier,
  isLost,
} from '../dissection/packet.ts';
import type { SentStream } from './sent-bytes.ts';
import { type Direction, SENDER, WireCounts } from './wire-counts.ts';

/** `ip:port` of both ends. */
export interface Ends {
  client: string;
  server: string;
}

/** ALPN names that are read as HTTP; hq is HTTP/0.9, used to test QUIC. */
const HTTP = /^(h2|h3|http\/|hq)/;

/** Reads one connection packet by packet; memory grows with its streams, not with its bytes. */
export abstract class ConnectionReader {
  abstract readonly transport: WireConnection['transport'];
  protected counts = new WireCounts();
  protected readonly handshake = new TlsHandshake();
  protected roundTrips = new RoundTrips();
  protected closes: WireClose[] = [];
  protected confirmedMs: number | null = null;
  /** Whether any packet was decrypted, and whether any was not. */
  protected readonly encrypted = { opened: false, closed: false };
  protected requests = 0;
  /** Numbers, from 1, of responses with bytes in lost packets. */
  protected readonly lostResponses = new Set<number>();
  #clientHelloMs: number | null = null;
  #firstRequestMs: number | null = null;
  #lastDataMs = 0;
  #bodyBytes: Record<Direction, number> = { toServer: 0, toClient: 0 };
  /** Bytes of each side up to its last handshake message. */
  readonly #lastMessages: Partial<Record<Direction, { stream: SentStream; end: number }>> = {};
  readonly #ends: Ends;
  /** Current addresses: ends may migrate, one at a time. */
  readonly #places: Record<keyof Ends, Set<string>>;
  #beganMs: number;
  #isEarlier = false;
  /** Whether it began before the attempt, so that its handshake is missing. */
  #goesOn = false;

  constructor(ends: Ends, beganMs: number) {
    this.#ends = ends;
    this.#places = { client: new Set([ends.client]), server: new Set([ends.server]) };
    this.#beganMs = beganMs;
  }

  /** Reads a packet, `atMs` after the file's first; returns its sender and its retransmitted bytes. */
  take(packet: DissectedPacket, atMs: number): { direction: Direction; againBytes: number } {
    const direction = this.#wayOf(packet);
    if (isEarlier(packet)) this.#isEarlier = true;
    else if (this.#isEarlier) this.#goOn(atMs);
    const sinceMs = atMs - this.#beganMs;
    const counts = this.counts[direction];
    counts.packets += 1;
    counts.bytes += packet.bytes;
    const bodyBytes = this.#bodyBytes.toClient;
    const againBytes = this.read(packet, direction, sinceMs);
    if (againBytes > 0) counts.retransmittedPackets += 1;
    if (isLost(packet)) {
      counts.lostPackets += 1;
      return { direction, againBytes };
    }
    // Earlier bytes of a complete body may have been in a lost packet.
    if (direction === 'toClient' && (this.#bodyBytes.toClient > bodyBytes || againBytes > 0))
      this.#lastDataMs = sinceMs;
    const last = this.#lastMessages[direction];
    if (last?.stream.hasArrived(last.end)) this.handshake.finishedMs[direction] ??= sinceMs;
    return { direction, againBytes };
  }

  /** Restarts all counts where the attempt begins, and keeps parameters and sent ranges. */
  #goOn(atMs: number): void {
    this.#isEarlier = false;
    this.#goesOn = true;
    this.#beganMs = atMs;
    this.counts = new WireCounts();
    this.counts.requested = true;
    this.roundTrips = new RoundTrips();
    this.closes = [];
    this.requests = 0;
    this.lostResponses.clear();
    this.#firstRequestMs = null;
    this.#bodyBytes = { toServer: 0, toClient: 0 };
  }

  #wayOf(packet: DissectedPacket): Direction {
    const { client, server } = this.#places;
    const [sender, receiver] = [senderOf(packet), receiverOf(packet)];
    const isClients = client.has(sender) || server.has(receiver);
    const [near, far] = isClients ? [client, server] : [server, client];
    near.add(sender);
    far.add(receiver);
    return isClients ? 'toServer' : 'toClient';
  }

  /** Whether the protocol is HTTP; true if it is unknown. */
  protected get carriesHttp(): boolean {
    return HTTP.test(this.handshake.agreed.protocol ?? 'h3');
  }

  /**
   * @param sinceMs since the connection's first packet
   * @returns retransmitted bytes of the packet's data
   */
  protected abstract read(packet: DissectedPacket, direction: Direction, sinceMs: number): number;

  /** Counts headers up to the transport's, and trailing bytes after the IP packet. */
  protected enterHeaders({ bytes, ip, tcp, udp }: DissectedPacket, direction: Direction): void {
    const segment = tcp ?? udp;
    if (!ip || !segment) return;
    this.counts.add(direction, 'ethernet', ip.start);
    this.counts.add(direction, 'ip', segment.start - ip.start);
    this.counts.add(direction, 'transport', segment.headBytes);
    this.counts.add(
      direction,
      'padding',
      bytes - segment.start - segment.headBytes - segment.bytes,
    );
  }

  protected takeHandshake(
    messages: readonly HandshakeMessage[],
    direction: Direction,
    sinceMs: number,
  ): boolean {
    if (messages.some(({ type }) => type === HANDSHAKE.clientHello))
      this.#clientHelloMs ??= sinceMs;
    return this.handshake.take(messages, direction);
  }

  /** Counts requests in the packet that is being read. */
  protected sendRequests(count: number, sinceMs: number): void {
    if (count === 0) return;
    this.requests += count;
    this.counts.requested = true;
    this.#firstRequestMs ??= sinceMs;
  }

  /** Counts complete HTTP bodies; their bytes were entered as HTTP. */
  protected sendBodies(direction: Direction, bytes: number): void {
    this.#bodyBytes[direction] += bytes;
  }

  /** Marks the end of a side's last handshake message in its stream. */
  protected sendLastMessage(direction: Direction, stream: SentStream): void {
    this.#lastMessages[direction] ??= { stream, end: stream.end };
  }

  /** End of the client's last handshake message; null: not sent yet. */
  protected get clientFinishedAt(): number | null {
    return this.#lastMessages.toServer?.end ?? null;
  }

  /** Repeated closes count once. */
  protected close(direction: Direction, reported: Omit<WireClose, 'by'>): void {
    const close: WireClose = { by: SENDER[direction], ...reported };
    const isKnown = this.closes.some(
      ({ by, layer, code }) => by === close.by && layer === close.layer && code === close.code,
    );
    if (!isKnown) this.closes.push(close);
  }

  figures(): WireConnection {
    const { counts, handshake, transport } = this;
    this.finish();
    for (const direction of ['toServer', 'toClient'] as const)
      counts.addBodies(direction, this.#bodyBytes[direction]);
    const { toServer, toClient } = this.#goesOn ? NO_TIMES : handshake.finishedMs;
    return {
      transport,
      ...this.#ends,
      ...handshake.agreed,
      opened: this.encrypted.opened ? (this.encrypted.closed ? 'part' : 'all') : 'none',
      requests: this.requests,
      beganMs: this.#beganMs,
      clientHelloMs: this.#goesOn ? null : this.#clientHelloMs,
      maySendMs: this.#goesOn ? null : earlier(toClient, this.#firstRequestMs),
      completeMs: toServer === null || toClient === null ? null : Math.max(toServer, toClient),
      confirmedMs: this.#goesOn ? null : this.confirmedMs,
      roundTripMs: this.roundTrips.figures(),
      lostResponses: [...this.lostResponses],
      goodputKbps: this.#goodputKbps(),
      toServer: counts.toServer,
      toClient: counts.toClient,
      beforeRequest: counts.before,
      afterRequest: counts.after,
      closes: this.closes,
    };
  }

  /** Enters the bytes that can only be classified at the end. */
  protected finish(): void {}

  #goodputKbps(): number | null {
    const tookMs = this.#lastDataMs - (this.#firstRequestMs ?? this.#lastDataMs);
    const { payloadBytes } = this.counts.toClient;
    return payloadBytes > 0 && tookMs > 0 ? (payloadBytes * 8) / tookMs : null;
  }
}

const NO_TIMES = { toServer: null, toClient: null };

/** `ip:port` of a packet's sender. */
export function senderOf({ ip, tcp, udp }: DissectedPacket): string {
  return `${ip?.from}:${(tcp ?? udp)?.from}`;
}

/** `ip:port` of a packet's receiver. */
export function receiverOf({ ip, tcp, udp }: DissectedPacket): string {
  return `${ip?.to}:${(tcp ?? udp)?.to}`;
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

type Side = 'client' | 'server';

/**
 * Round-trip times from the capture point: to the server and back, and to the client and back. At one of the ends the nearer part is
 * close to zero.
 */
export class RoundTrips {
  readonly #samplesMs: Record<Side, number[]> = { client: [], server: [] };

  /** Adds the delay of an acknowledgement from one side. */
  add(from: Side, ms: number): void {
    this.#samplesMs[from].push(ms);
  }

  /** null: one side acknowledged nothing, and the other side alone may be the capture point, a few µs away. */
  figures(): WireConnection['roundTripMs'] {
    const sides = Object.values(this.#samplesMs).map((each) => Float64Array.from(each).sort());
    const [near, far] = sides.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    // Of the nearer side only the minimum: its acknowledgement delay is not part of the path.
    const [nearMs, least] = [near?.[0], far?.[0]];
    if (near === undefined || far === undefined || nearMs === undefined || least === undefined)
      return null;
    return {
      least: least + nearMs,
      median: (quantileOfSorted(far, 0.5) ?? least) + nearMs,
      p95: (quantileOfSorted(far, 0.95) ?? least) + nearMs,
      samples: far.length,
      clientLeast: leastOf(this.#samplesMs.client),
    };
  }
}

function leastOf(samplesMs: readonly number[]): number | null {
  return samplesMs.reduce<number | null>((least, each) => Math.min(least ?? each, each), null);
}

type NegotiatedParameters = Pick<
  WireConnection,
  'host' | 'protocol' | 'tlsVersion' | 'cipher' | 'group'
>;

export class TlsHandshake {
  readonly agreed: NegotiatedParameters = {
    host: null,
    protocol: null,
    tlsVersion: null,
    cipher: null,
    group: null,
  };
  /** Arrival of each side's last handshake message, in ms since the connection's first packet; null: not yet. */
  readonly finishedMs: Record<Direction, number | null> = { toServer: null, toClient: null };
  /** Exponent of each side's acknowledgement delays, with its default (RFC 9000, section 18.2). */
  readonly ackDelayExponent: Record<Direction, number> = { toServer: 3, toClient: 3 };

  take(messages: readonly HandshakeMessage[], direction: Direction): boolean {
    for (const message of messages) this.#takeOne(message, direction);
    return messages.some(({ type }) => type === HANDSHAKE.finished);
  }

  #takeOne(message: HandshakeMessage, direction: Direction): void {
    const { agreed } = this;
    const exponent = message.parameters?.ack_delay_exponent;
    if (typeof exponent === 'number') this.ackDelayExponent[direction] = exponent;
    switch (message.type) {
      case HANDSHAKE.clientHello:
        agreed.host ??= message.serverName ?? null;
        return;
      case HANDSHAKE.serverHello:
        agreed.tlsVersion = message.version === undefined ? null : tlsVersionName(message.version);
        agreed.cipher = message.cipher === undefined ? null : cipherSuiteName(message.cipher);
        agreed.group ??= message.group === undefined ? null : groupName(message.group);
        agreed.protocol ??= message.protocols?.[0] ?? null;
        return;
      case HANDSHAKE.serverKeyExchange:
        agreed.group ??= message.group === undefined ? null : groupName(message.group);
        return;
      case HANDSHAKE.encryptedExtensions:
        agreed.protocol ??= message.protocols?.[0] ?? null;
        return;
    }
  }
}
