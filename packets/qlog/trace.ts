import { ackedRanges, type Space, spaceOf, waitedMs } from '../connections/acknowledgement.ts';
import type { PlacedPacket } from '../connections/capture-reader.ts';
import { applicationClose, quicClose } from '../connections/closes.ts';
import { Http3Streams } from '../connections/http3-streams.ts';
import { InFlight } from '../connections/in-flight.ts';
import type { Way } from '../connections/ledger.ts';
import { wantsAcknowledgement } from '../connections/quic-reader.ts';
import { TlsHandshake } from '../connections/tls-handshake.ts';
import {
  HANDSHAKE,
  isAck,
  isLost,
  QUIC_FRAME,
  type QuicFrame,
  type QuicPacket,
} from '../dissection/packet.ts';
import { qlogFrame, qlogHttpFrame } from './frames.ts';

/** An event; its time is in ms since the trace began. */
export interface QlogEvent {
  time: number;
  name: string;
  data: Readonly<Record<string, unknown>>;
}

type PacketEvent = QlogEvent['data'] & Readonly<Record<'header' | 'raw' | 'datagram_id', unknown>>;

const OWNER = { toServer: 'local', toClient: 'remote' } as const;
const LONG_TYPES = ['initial', '0RTT', 'handshake', 'retry'] as const;

/** Turns the packets of one connection into events as its client has them. */
export class QlogTrace {
  /** What the client's first packet calls the server, in hex; null: it was not seen. */
  originalId: string | null = null;
  /** When the trace begins: seconds since 1970 and nanoseconds, as of packets. */
  readonly begin: { s: number; ns: number };
  readonly #beginMs: number;
  readonly #handshake = new TlsHandshake();
  readonly #inFlight = new InFlight();
  readonly #http = {
    toServer: this.#httpOf('http:frame_created'),
    toClient: this.#httpOf('http:frame_parsed'),
  };
  readonly #parametersOf = new Set<Way>();
  #closed = false;
  #events: QlogEvent[] = [];
  #nowMs = 0;

  constructor({ packet, atMs }: PlacedPacket) {
    this.begin = { s: packet.s, ns: packet.ns };
    this.#beginMs = atMs;
  }

  /** The name that the client asked for; null: not known yet. */
  get host(): string | null {
    return this.#handshake.agreed.host;
  }

  /** The events of the next packet. */
  take({ packet, atMs, way }: PlacedPacket): QlogEvent[] {
    const { quic = [], ip, udp } = packet;
    if (way === null || !ip || !udp) return [];
    this.#nowMs = toNs(atMs - this.#beginMs);
    this.#events = [];
    const [first] = quic;
    if (this.#nowMs === 0) {
      this.originalId = (way === 'toServer' && first?.toId) || null;
      this.#add('connectivity:connection_started', {
        ip_version: ip.from.includes(':') ? 'v6' : 'v4',
        src_ip: ip.from,
        dst_ip: ip.to,
        protocol: 'QUIC',
        src_port: udp.from,
        dst_port: udp.to,
        src_cid: first?.fromId,
        dst_cid: first?.toId,
      });
    }
    const fate = isLost(packet) ? (packet.comments?.find((comment) => comment !== '') ?? '') : null;
    for (const each of quic) {
      const event = this.#packetEvent(each, way, quic.length > 1, packet.n);
      this.#note(each, event, way, fate);
    }
    return this.#events;
  }

  #add(name: string, data: QlogEvent['data']): void {
    this.#events.push({ time: this.#nowMs, name, data });
  }

  #packetEvent(packet: QuicPacket, way: Way, isCoalesced: boolean, datagram: number): PacketEvent {
    const exponent = spaceOf(packet) === 'application' ? this.#handshake.ackDelayExponent[way] : 0;
    const { bytes, payloadBytes, frames = [] } = packet;
    return {
      header: headerOf(packet),
      ...(isCoalesced && { is_coalesced: true }),
      raw: { length: bytes, payload_length: payloadBytes },
      datagram_id: datagram,
      frames: frames.map((frame) => qlogFrame(frame, exponent)),
    };
  }

  /** @param fate what the capture says of a packet that the path lost; null: it arrived */
  #note(packet: QuicPacket, event: PacketEvent, way: Way, fate: string | null): void {
    if (way === 'toClient' && fate !== null) {
      const { header, raw, datagram_id } = event;
      this.#add('transport:packet_dropped', { header, raw, datagram_id, details: fate });
      return;
    }
    this.#add(`transport:packet_${way === 'toServer' ? 'sent' : 'received'}`, event);
    this.#noteHandshake(packet, way);
    const { frames = [], number, bytes } = packet;
    const space = spaceOf(packet);
    if (way === 'toServer') {
      if (number !== undefined && frames.some(wantsAcknowledgement)) {
        this.#inFlight.sent(space, number, { bytes, atMs: this.#nowMs });
        this.#addMetrics();
      }
      if (space === 'handshake') this.#inFlight.discard('initial');
      if (fate !== null) this.#add('recovery:packet_lost', { header: event.header });
    }
    for (const frame of frames) this.#noteFrame(frame, space, way);
  }

  #noteFrame(frame: QuicFrame, space: Space, way: Way): void {
    const { type, stream, offset = 0, data } = frame;
    if (way === 'toClient' && isAck(frame)) this.#acknowledge(frame, space);
    else if (type === QUIC_FRAME.handshakeDone) this.#inFlight.discard('handshake');
    else if (type === QUIC_FRAME.close || type === QUIC_FRAME.closeByApplication) {
      this.#close(frame, way);
    } else if (stream !== undefined && data !== undefined) {
      this.#http[way].take(stream, offset, Buffer.from(data, 'hex'));
    }
  }

  #acknowledge(frame: QuicFrame, space: Space): void {
    const waited = waitedMs(frame, space, this.#handshake.ackDelayExponent.toClient);
    if (this.#inFlight.acknowledged(space, ackedRanges(frame), this.#nowMs, waited)) {
      this.#addMetrics();
    }
  }

  #addMetrics(): void {
    const { bytes, packets, roundTrip } = this.#inFlight;
    this.#add('recovery:metrics_updated', {
      ...(roundTrip && {
        min_rtt: toNs(roundTrip.minMs),
        smoothed_rtt: toNs(roundTrip.smoothedMs),
        latest_rtt: toNs(roundTrip.latestMs),
        rtt_variance: toNs(roundTrip.varianceMs),
      }),
      bytes_in_flight: bytes,
      packets_in_flight: packets,
    });
  }

  #httpOf(name: string): Http3Streams {
    return new Http3Streams((stream_id, frame) => {
      const { contentBytes: length } = frame;
      this.#add(name, { stream_id, length, frame: qlogHttpFrame(frame) });
    });
  }

  #noteHandshake({ handshake = [] }: QuicPacket, way: Way): void {
    this.#handshake.take(handshake, way);
    for (const { type, parameters } of handshake) {
      const says = type === HANDSHAKE.clientHello || type === HANDSHAKE.encryptedExtensions;
      if (!says || !parameters || this.#parametersOf.has(way)) continue;
      this.#parametersOf.add(way);
      const { cipher } = this.#handshake.agreed;
      this.#add('transport:parameters_set', {
        owner: OWNER[way],
        ...(way === 'toClient' && cipher !== null && { tls_cipher: cipher }),
        ...parameters,
      });
    }
  }

  #close({ type, error = 0, reason }: QuicFrame, way: Way): void {
    if (this.#closed) return;
    this.#closed = true;
    const isOwn = type === QUIC_FRAME.close;
    const { isError } = isOwn ? quicClose(error) : applicationClose(error);
    this.#add('connectivity:connection_closed', {
      owner: OWNER[way],
      [isOwn ? 'connection_code' : 'application_code']: error,
      reason,
      trigger: isError ? (isOwn ? 'error' : 'application') : 'clean',
    });
  }
}

function headerOf({ long, longType, version, number, ...ids }: QuicPacket) {
  if (long !== 1) return { packet_type: '1RTT', packet_number: number, dcil: ids.toIdBytes };
  return {
    packet_type: version === 0 ? 'version_negotiation' : (LONG_TYPES[longType ?? -1] ?? 'unknown'),
    packet_number: number,
    version: version?.toString(16),
    scil: ids.fromIdBytes,
    dcil: ids.toIdBytes,
    scid: ids.fromId,
    dcid: ids.toId,
  };
}

/** Milliseconds to the nanosecond, which is as exact as they were captured. */
function toNs(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}
