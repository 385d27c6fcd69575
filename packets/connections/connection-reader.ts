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

/** The ends of a connection, as `ip:port`. */
export interface Ends {
  client: string;
  server: string;
}

/** ALPN names of what is read as HTTP; hq is HTTP/0.9, with which QUIC is tested. */
const HTTP = /^(h2|h3|http\/|hq)/;

/** Reads one connection packet by packet; what it holds grows with the connection's open ends, not with its bytes. */
export abstract class ConnectionReader {
  abstract readonly transport: WireConnection['transport'];
  protected counts = new WireCounts();
  protected readonly handshake = new TlsHandshake();
  protected roundTrips = new RoundTrips();
  protected closes: WireClose[] = [];
  protected confirmedMs: number | null = null;
  /** Whether something was opened, and whether something stayed closed. */
  protected readonly encrypted = { opened: false, closed: false };
  protected requests = 0;
  /** Numbers, from 1, of responses that had bytes in packets that were lost. */
  protected readonly lostResponses = new Set<number>();
  #clientHelloMs: number | null = null;
  #firstRequestMs: number | null = null;
  #lastDataMs = 0;
  #bodyBytes: Record<Direction, number> = { toServer: 0, toClient: 0 };
  /** What each side sent up to its last handshake message. */
  readonly #lastMessages: Partial<Record<Direction, { stream: SentStream; end: number }>> = {};
  readonly #ends: Ends;
  /** Where the ends were: they may move, one at a time. */
  readonly #places: Record<keyof Ends, Set<string>>;
  #beganMs: number;
  #isEarlier = false;
  /** Whether the attempt goes on with it, so that it has no handshake of its own. */
  #goesOn = false;

  constructor(ends: Ends, beganMs: number) {
    this.#ends = ends;
    this.#places = { client: new Set([ends.client]), server: new Set([ends.server]) };
    this.#beganMs = beganMs;
  }

  /** Takes a packet between the ends, `atMs` after the file's first; tells who sent it, and how much of its data was sent before. */
  take(packet: DissectedPacket, atMs: number): { way: Direction; againBytes: number } {
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
      return { way: direction, againBytes };
    }
    // What completes a body may have been in a packet that was lost.
    if (direction === 'toClient' && (this.#bodyBytes.toClient > bodyBytes || againBytes > 0))
      this.#lastDataMs = sinceMs;
    const last = this.#lastMessages[direction];
    if (last?.stream.hasArrived(last.end)) this.handshake.finishedMs[direction] ??= sinceMs;
    return { way: direction, againBytes };
  }

  /** Counts from zero where an attempt begins that goes on with it; what was agreed and sent is still known. */
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

  /** Where it is not known what is spoken, HTTP is the best guess. */
  protected get carriesHttp(): boolean {
    return HTTP.test(this.handshake.agreed.protocol ?? 'h3');
  }

  /**
   * @param sinceMs since the connection's first packet
   * @returns how many bytes of data it has that were sent before
   */
  protected abstract read(packet: DissectedPacket, direction: Direction, sinceMs: number): number;

  /** Headers up to that of the transport, and what follows the IP packet on the wire. */
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

  /** Requests in a packet that is about to be read. */
  protected sendRequests(count: number, sinceMs: number): void {
    if (count === 0) return;
    this.requests += count;
    this.counts.requested = true;
    this.#firstRequestMs ??= sinceMs;
  }

  /** HTTP bodies that were seen whole; they are among the bytes that were entered as HTTP. */
  protected sendBodies(direction: Direction, bytes: number): void {
    this.#bodyBytes[direction] += bytes;
  }

  /** The last handshake message of a side is in what it has sent of a stream. */
  protected sendLastMessage(direction: Direction, stream: SentStream): void {
    this.#lastMessages[direction] ??= { stream, end: stream.end };
  }

  /** Behind the client's last handshake message; null: it was not sent yet. */
  protected get clientFinishedAt(): number | null {
    return this.#lastMessages.toServer?.end ?? null;
  }

  /** What is said again counts once. */
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

  /** Enters what could not be entered before the end. */
  protected finish(): void {}

  #goodputKbps(): number | null {
    const tookMs = this.#lastDataMs - (this.#firstRequestMs ?? this.#lastDataMs);
    const { payloadBytes } = this.counts.toClient;
    return payloadBytes > 0 && tookMs > 0 ? (payloadBytes * 8) / tookMs : null;
  }
}

const NO_TIMES = { toServer: null, toClient: null };

/** `ip:port` of who sent a packet. */
export function senderOf({ ip, tcp, udp }: DissectedPacket): string {
  return `${ip?.from}:${(tcp ?? udp)?.from}`;
}

/** `ip:port` of whom a packet is for. */
export function receiverOf({ ip, tcp, udp }: DissectedPacket): string {
  return `${ip?.to}:${(tcp ?? udp)?.to}`;
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

type Side = 'client' | 'server';

/**
 * Round-trip times seen from wherever the packets were captured: the way to the server and back, and the way to the client and back.
 * At one of the ends the nearer way takes next to nothing.
 */
export class RoundTrips {
  readonly #samplesMs: Record<Side, number[]> = { client: [], server: [] };

  /** Takes how long an acknowledgement took to come back from one side. */
  add(from: Side, ms: number): void {
    this.#samplesMs[from].push(ms);
  }

  /** null: a side acknowledged nothing, and the other one alone may be that at which packets were captured, a few µs away. */
  figures(): WireConnection['roundTripMs'] {
    const sides = Object.values(this.#samplesMs).map((each) => Float64Array.from(each).sort());
    const [near, far] = sides.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    // Of the nearer side the least alone: what it waited before it acknowledged is no part of the way.
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
  /** When the last message of each side had arrived. */
  readonly finishedMs: Record<Direction, number | null> = { toServer: null, toClient: null };
  /** Each side counts what it waits before it acknowledges in these, unless it says otherwise (RFC 9000, section 18.2). */
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
