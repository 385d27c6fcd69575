import { ackDelayMs, ackedRanges, type Space, spaceOf } from '../connections/acknowledgement.ts';
import type { CapturedPacket } from '../connections/capture-reader.ts';
import { applicationClose, quicClose } from '../connections/closes.ts';
import { TlsHandshake } from '../connections/connection-reader.ts';
import { type Http3Frame, Http3Streams } from '../connections/http3-stream.ts';
import { InFlight } from '../connections/in-flight.ts';
import { wantsAcknowledgement } from '../connections/quic-reader.ts';
import type { Direction } from '../connections/wire-counts.ts';
import {
  HANDSHAKE,
  HTTP_FRAME,
  isAck,
  isLost,
  isStream,
  QUIC_FRAME,
  type QuicFrame,
  type QuicPacket,
} from '../dissection/packet.ts';

/** An event; its time is in ms since the trace began. */
export interface QlogEvent {
  time: number;
  name: string;
  data: Readonly<Record<string, unknown>>;
}

type PacketEvent = QlogEvent['data'] & Readonly<Record<'header' | 'raw' | 'datagram_id', unknown>>;

const OWNER = { toServer: 'local', toClient: 'remote' } as const;
const LONG_TYPES = ['initial', '0RTT', 'handshake', 'retry'] as const;

export class QlogTrace {
  /** Server's connection id in the client's first packet, in hex; null: not captured. */
  originalId: string | null = null;
  /** Start of the trace: seconds since 1970 and nanoseconds, as in packets. */
  readonly begin: { s: number; ns: number };
  readonly #beginMs: number;
  readonly #handshake = new TlsHandshake();
  readonly #inFlight = new InFlight();
  readonly #http = {
    toServer: this.#httpOf('http:frame_created'),
    toClient: this.#httpOf('http:frame_parsed'),
  };
  readonly #parametersOf = new Set<Direction>();
  #closed = false;
  #events: QlogEvent[] = [];
  #nowMs = 0;

  constructor({ packet, atMs }: CapturedPacket) {
    this.begin = { s: packet.s, ns: packet.ns };
    this.#beginMs = atMs;
  }

  /** Host in the ClientHello; null: not known yet. */
  get host(): string | null {
    return this.#handshake.agreed.host;
  }

  take({ packet, atMs, direction }: CapturedPacket): QlogEvent[] {
    const { quic = [], ip, udp } = packet;
    if (direction === null || !ip || !udp) return [];
    this.#nowMs = toNs(atMs - this.#beginMs);
    this.#events = [];
    const [first] = quic;
    if (this.#nowMs === 0) {
      this.originalId = (direction === 'toServer' && first?.toId) || null;
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
      const event = this.#packetEvent(each, direction, quic.length > 1, packet.n);
      this.#note(each, event, direction, fate);
    }
    return this.#events;
  }

  #add(name: string, data: QlogEvent['data']): void {
    this.#events.push({ time: this.#nowMs, name, data });
  }

  #packetEvent(
    packet: QuicPacket,
    direction: Direction,
    isCoalesced: boolean,
    datagram: number,
  ): PacketEvent {
    const exponent =
      spaceOf(packet) === 'application' ? this.#handshake.ackDelayExponent[direction] : 0;
    const { bytes, payloadBytes, frames = [] } = packet;
    return {
      header: headerOf(packet),
      ...(isCoalesced && { is_coalesced: true }),
      raw: { length: bytes, payload_length: payloadBytes },
      datagram_id: datagram,
      frames: frames.map((frame) => qlogFrame(frame, exponent)),
    };
  }

  /** @param fate of a packet that the path lost; null: it arrived */
  #note(packet: QuicPacket, event: PacketEvent, direction: Direction, fate: string | null): void {
    if (direction === 'toClient' && fate !== null) {
      const { header, raw, datagram_id } = event;
      this.#add('transport:packet_dropped', { header, raw, datagram_id, details: fate });
      return;
    }
    this.#add(`transport:packet_${direction === 'toServer' ? 'sent' : 'received'}`, event);
    this.#noteHandshake(packet, direction);
    const { frames = [], number, bytes } = packet;
    const space = spaceOf(packet);
    if (direction === 'toServer') {
      if (number !== undefined && frames.some(wantsAcknowledgement)) {
        this.#inFlight.send(space, number, { bytes, atMs: this.#nowMs });
        this.#addMetrics();
      }
      if (space === 'handshake') this.#inFlight.discard('initial');
      if (fate !== null) this.#add('recovery:packet_lost', { header: event.header });
    }
    for (const frame of frames) this.#noteFrame(frame, space, direction);
  }

  #noteFrame(frame: QuicFrame, space: Space, direction: Direction): void {
    const { type, stream, offset = 0, data } = frame;
    if (direction === 'toClient' && isAck(frame)) this.#acknowledge(frame, space);
    else if (type === QUIC_FRAME.handshakeDone) this.#inFlight.discard('handshake');
    else if (type === QUIC_FRAME.close || type === QUIC_FRAME.closeByApplication) {
      this.#close(frame, direction);
    } else if (stream !== undefined && data !== undefined) {
      this.#http[direction].take(stream, offset, Buffer.from(data, 'hex'));
    }
  }

  #acknowledge(frame: QuicFrame, space: Space): void {
    const waited = ackDelayMs(frame, space, this.#handshake.ackDelayExponent.toClient);
    if (this.#inFlight.acknowledge(space, ackedRanges(frame), this.#nowMs, waited)) {
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

  #noteHandshake({ handshake = [] }: QuicPacket, direction: Direction): void {
    this.#handshake.take(handshake, direction);
    for (const { type, parameters } of handshake) {
      const says = type === HANDSHAKE.clientHello || type === HANDSHAKE.encryptedExtensions;
      if (!says || !parameters || this.#parametersOf.has(direction)) continue;
      this.#parametersOf.add(direction);
      const { cipher } = this.#handshake.agreed;
      this.#add('transport:parameters_set', {
        owner: OWNER[direction],
        ...(direction === 'toClient' && cipher !== null && { tls_cipher: cipher }),
        ...parameters,
      });
    }
  }

  #close({ type, error = 0, reason }: QuicFrame, direction: Direction): void {
    if (this.#closed) return;
    this.#closed = true;
    const isOwn = type === QUIC_FRAME.close;
    const { isError } = isOwn ? quicClose(error) : applicationClose(error);
    this.#add('connectivity:connection_closed', {
      owner: OWNER[direction],
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

/** A time in ms, rounded to whole ns, the precision of captures. */
function toNs(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}

type QlogFrame = { frame_type: string } & Readonly<Record<string, unknown>>;

const DIRECTIONS = ['bidirectional', 'unidirectional'] as const;

/**
 * A QUIC frame in qlog's terms (draft-ietf-quic-qlog-quic-events, "QUIC Frames").
 * @param ackDelayExponent of the sender
 */
function qlogFrame(frame: QuicFrame, ackDelayExponent: number): QlogFrame {
  if (isStream(frame)) {
    const { stream: stream_id, offset = 0, dataBytes: length = 0, ends } = frame;
    return { frame_type: 'stream', stream_id, offset, length, fin: ends === 1 };
  }
  return FRAMES[frame.type]?.(frame, ackDelayExponent) ?? unknownFrame(frame);
}

/** An HTTP/3 frame in qlog's terms; QPACK-compressed fields are not decoded. */
function qlogHttpFrame({ type, contentBytes }: Http3Frame): QlogFrame {
  if (type === HTTP_FRAME.data) return { frame_type: 'data' };
  if (type === HTTP_FRAME.headers) return { frame_type: 'headers', headers: [] };
  // Reserved types, sent so that receivers learn to ignore unknown ones (RFC 9114, section 7.2.8).
  if (type >= 0x21 && (type - 0x21) % 0x1f === 0) {
    return { frame_type: 'reserved', length: contentBytes };
  }
  return { frame_type: 'unknown', frame_type_value: type, raw: { payload_length: contentBytes } };
}

type FrameOf = (frame: QuicFrame, ackDelayExponent: number) => QlogFrame;

const ack: FrameOf = (frame, ackDelayExponent) => ({
  frame_type: 'ack',
  ack_delay: ((frame.delay ?? 0) * 2 ** ackDelayExponent) / 1000,
  acked_ranges: ackedRanges(frame),
});

const FRAMES: Readonly<Record<number, FrameOf>> = {
  [QUIC_FRAME.padding]: ({ bytes }) => ({ frame_type: 'padding', payload_length: bytes }),
  1: () => ({ frame_type: 'ping' }),
  [QUIC_FRAME.ack]: ack,
  [QUIC_FRAME.ackWithEcn]: ack,
  4: ({ stream, error, most }) => ({
    frame_type: 'reset_stream',
    stream_id: stream,
    error_code: error,
    final_size: most,
  }),
  5: ({ stream, error }) => ({
    frame_type: 'stop_sending',
    stream_id: stream,
    error_code: error,
  }),
  [QUIC_FRAME.crypto]: ({ offset = 0, dataBytes = 0 }) => ({
    frame_type: 'crypto',
    offset,
    length: dataBytes,
  }),
  7: ({ bytes }) => ({ frame_type: 'new_token', token: { raw: { length: bytes } } }),
  16: ({ most }) => ({ frame_type: 'max_data', maximum: most }),
  17: ({ stream, most }) => ({ frame_type: 'max_stream_data', stream_id: stream, maximum: most }),
  18: ({ most }) => ({ frame_type: 'max_streams', stream_type: DIRECTIONS[0], maximum: most }),
  19: ({ most }) => ({ frame_type: 'max_streams', stream_type: DIRECTIONS[1], maximum: most }),
  20: ({ most }) => ({ frame_type: 'data_blocked', limit: most }),
  21: ({ stream, most }) => ({ frame_type: 'stream_data_blocked', stream_id: stream, limit: most }),
  22: ({ most }) => ({ frame_type: 'streams_blocked', stream_type: DIRECTIONS[0], limit: most }),
  23: ({ most }) => ({ frame_type: 'streams_blocked', stream_type: DIRECTIONS[1], limit: most }),
  24: ({ sequence, retires, id = '' }) => ({
    frame_type: 'new_connection_id',
    sequence_number: sequence,
    retire_prior_to: retires,
    connection_id_length: id.length / 2,
    connection_id: id,
  }),
  25: ({ sequence }) => ({ frame_type: 'retire_connection_id', sequence_number: sequence }),
  26: () => ({ frame_type: 'path_challenge' }),
  27: () => ({ frame_type: 'path_response' }),
  [QUIC_FRAME.close]: ({ error, reason, cause }) => ({
    frame_type: 'connection_close',
    error_space: 'transport',
    error_code: error,
    raw_error_code: error,
    reason,
    trigger_frame_type: cause,
  }),
  [QUIC_FRAME.closeByApplication]: ({ error, reason }) => ({
    frame_type: 'connection_close',
    error_space: 'application',
    error_code: error,
    raw_error_code: error,
    reason,
  }),
  [QUIC_FRAME.handshakeDone]: () => ({ frame_type: 'handshake_done' }),
  48: datagram,
  49: datagram,
};

function datagram({ bytes }: QuicFrame): QlogFrame {
  return { frame_type: 'datagram', length: bytes };
}

function unknownFrame({ type, bytes }: QuicFrame): QlogFrame {
  return { frame_type: 'unknown', raw_frame_type: type, raw_length: bytes };
}
