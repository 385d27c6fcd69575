import { ackedRanges } from '../connections/acknowledgement.ts';
import type { CapturedPacket } from '../connections/capture-reader.ts';
import { SentBytes } from '../connections/sent-bytes.ts';
import type { Direction } from '../connections/wire-counts.ts';
import {
  isAck,
  isLost,
  isStream,
  QUIC_FRAME,
  type QuicFrame,
  TCP_FLAG,
} from '../dissection/packet.ts';

export interface BytePoint {
  atMs: number;
  bytes: number;
}

interface SentPacket {
  /** Capture time: arrival at the client, also of packets that were lost. */
  atMs: number;
  isLost: boolean;
  isAgain: boolean;
  freshBytes: number;
  /** End of its data, from the connection's first byte; null: QUIC, which counts by stream. */
  endBytes: number | null;
}

/** The server's bytes in a connection's packets; times in ms after the file's first packet. */
export interface ByteSeries {
  sent: SentPacket[];
  acknowledged: BytePoint[];
  /** Receive window announced by the client. */
  window: BytePoint[];
}

/** Bytes over time at the server: cumulative, except `window` (a limit of cumulative bytes). */
export interface ServerBytes {
  sent: BytePoint[];
  acknowledged: BytePoint[];
  window: BytePoint[];
  lost: BytePoint[];
  /** Packets with retransmitted data. */
  resent: BytePoint[];
}

interface StreamPart {
  stream: number;
  offset: number;
  bytes: number;
}

/** Reads the packets of one connection, in order. */
export class ByteSeriesReader {
  readonly series: ByteSeries = { sent: [], acknowledged: [], window: [] };
  #endBytes = 0;
  #acknowledgedBytes = 0;
  #windowBytes = 0;
  /** QUIC: contents of unacknowledged packets, and sent and acknowledged ranges of each stream. */
  readonly #carried = new Map<number, StreamPart[]>();
  readonly #sent = new Map<number, SentBytes>();
  readonly #received = new Map<number, SentBytes>();

  take(captured: CapturedPacket, direction: Direction): void {
    if (captured.packet.tcp) this.#takeTcp(captured, direction);
    else if (direction === 'toClient') this.#takeServersQuic(captured);
    else if (!isLost(captured.packet)) this.#takeClientsQuic(captured);
  }

  #takeTcp({ packet, atMs, againBytes }: CapturedPacket, direction: Direction): void {
    const { tcp } = packet;
    if (!tcp) return;
    const { bytes, flags, windowBytes } = tcp;
    if (direction === 'toClient') {
      // The first byte has number 1, after that of SYN.
      const endBytes = tcp.sequence - 1 + bytes;
      this.#endBytes = Math.max(this.#endBytes, endBytes);
      if (bytes > 0) {
        const [isAgain, freshBytes] = [againBytes > 0, bytes - againBytes];
        this.series.sent.push({ atMs, isLost: isLost(packet), isAgain, freshBytes, endBytes });
      }
      return;
    }
    if (isLost(packet) || (flags & TCP_FLAG.ack) === 0) return;
    const upTo = tcp.acknowledged - 1;
    // FIN takes a sequence number too.
    this.#acknowledge(atMs, Math.min(upTo, this.#endBytes));
    if (windowBytes !== undefined) this.#open(atMs, upTo + windowBytes);
  }

  #takeServersQuic({ packet, atMs, againBytes }: CapturedPacket): void {
    let freshBytes = 0;
    let hasData = false;
    for (const { number, frames = [] } of packet.quic ?? []) {
      const parts = frames.filter(isStream).map(partOf);
      for (const part of parts) freshBytes += added(this.#sent, part);
      hasData ||= parts.length > 0;
      if (number !== undefined && parts.length > 0) this.#carried.set(number, parts);
    }
    if (!hasData) return;
    const isAgain = againBytes > 0;
    this.series.sent.push({ atMs, isLost: isLost(packet), isAgain, freshBytes, endBytes: null });
  }

  #takeClientsQuic({ packet, atMs }: CapturedPacket): void {
    for (const { frames = [], handshake = [], long } of packet.quic ?? []) {
      for (const { parameters = {} } of handshake) {
        this.#open(atMs, Number(parameters.initial_max_data ?? 0));
      }
      for (const frame of frames) {
        if (isAck(frame) && long !== 1) this.#acknowledgePackets(frame, atMs);
        if (frame.type === QUIC_FRAME.maxData) this.#open(atMs, frame.most ?? 0);
      }
    }
  }

  #acknowledgePackets(frame: QuicFrame, atMs: number): void {
    let bytes = this.#acknowledgedBytes;
    for (const [first, last] of ackedRanges(frame)) {
      for (const [number, parts] of this.#carried) {
        if (number < first || number > last) continue;
        for (const part of parts) bytes += added(this.#received, part);
        this.#carried.delete(number);
      }
    }
    this.#acknowledge(atMs, bytes);
  }

  #acknowledge(atMs: number, bytes: number): void {
    if (bytes <= this.#acknowledgedBytes) return;
    this.#acknowledgedBytes = bytes;
    this.series.acknowledged.push({ atMs, bytes });
  }

  #open(atMs: number, bytes: number): void {
    if (bytes <= this.#windowBytes) return;
    this.#windowBytes = bytes;
    this.series.window.push({ atMs, bytes });
  }
}

function partOf({ stream = 0, offset = 0, dataBytes = 0 }: QuicFrame): StreamPart {
  return { stream, offset, bytes: dataBytes };
}

function added(known: Map<number, SentBytes>, { stream, offset, bytes }: StreamPart): number {
  const own = known.get(stream) ?? new SentBytes();
  known.set(stream, own);
  return own.add(offset, bytes);
}

/**
 * Shifts times from the client's end to the server's: a packet leaves the server half a round trip before it arrives, and the
 * client's packets arrive as much later.
 * @param zeroMs origin of the new times
 */
export function atServer(
  { sent, acknowledged, window }: ByteSeries,
  zeroMs: number,
  minRttMs: number | null,
): ServerBytes {
  const oneWayMs = (minRttMs ?? 0) / 2;
  const received = ({ atMs, bytes }: BytePoint) => ({ atMs: atMs - zeroMs + oneWayMs, bytes });
  const server: ServerBytes = {
    sent: [],
    acknowledged: acknowledged.map(received),
    window: window.map(received),
    lost: [],
    resent: [],
  };
  let bytes = 0;
  const left = sent.map((packet) => ({
    ...packet,
    atMs: packet.atMs - zeroMs - oneWayMs,
  }));
  for (const { atMs, ...packet } of left.sort((a, b) => a.atMs - b.atMs)) {
    bytes = packet.endBytes === null ? bytes + packet.freshBytes : Math.max(bytes, packet.endBytes);
    server.sent.push({ atMs, bytes });
    const mark = { atMs, bytes: packet.endBytes ?? bytes };
    if (packet.isLost) server.lost.push(mark);
    else if (packet.isAgain) server.resent.push(mark);
  }
  return server;
}

/** Sent minus acknowledged bytes, at each change. */
export function inFlight({ sent, acknowledged }: ServerBytes): BytePoint[] {
  const changes = [
    ...sent.map(({ atMs, bytes }) => ({ atMs, sent: bytes, acknowledged: null })),
    ...acknowledged.map(({ atMs, bytes }) => ({ atMs, sent: null, acknowledged: bytes })),
  ].sort((a, b) => a.atMs - b.atMs);
  const now = { sent: 0, acknowledged: 0 };
  return changes.map(({ atMs, ...change }) => {
    now.sent = change.sent ?? now.sent;
    now.acknowledged = change.acknowledged ?? now.acknowledged;
    return { atMs, bytes: Math.max(0, now.sent - now.acknowledged) };
  });
}
