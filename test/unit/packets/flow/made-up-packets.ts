import type { CapturedPacket } from '../../../../packets/connections/capture-reader.ts';
import type { Direction } from '../../../../packets/connections/wire-counts.ts';
import type {
  DissectedPacket,
  QuicFrame,
  QuicPacket,
  TcpSegment,
} from '../../../../packets/dissection/packet.ts';
import { EventReader, type PacketEvent } from '../../../../packets/flow/packet-event.ts';
import { type FlowStep, sequenceOf } from '../../../../packets/flow/sequence.ts';

type DirectedPacket = CapturedPacket & { direction: Direction };

/** A packet `atMs` after the first one of its capture. */
function made(
  atMs: number,
  direction: Direction,
  parts: Partial<DissectedPacket>,
  againBytes = 0,
): DirectedPacket {
  const packet: DissectedPacket = { n: 1, s: 0, ns: 0, bytes: 100, capturedBytes: 100, ...parts };
  return { packet, atMs, direction, connection: 0, againBytes };
}

const SEGMENT: TcpSegment = {
  from: 1,
  to: 2,
  stream: 0,
  start: 34,
  headBytes: 32,
  bytes: 0,
  sequence: 1,
  acknowledged: 1,
  flags: 0x10,
};

export function tcp(
  atMs: number,
  direction: Direction,
  segment: Partial<TcpSegment>,
  parts: Partial<DissectedPacket> = {},
  againBytes = 0,
): DirectedPacket {
  return made(atMs, direction, { tcp: { ...SEGMENT, ...segment }, ...parts }, againBytes);
}

/** A datagram with one QUIC packet; long headers by `longType`. */
export function quic(
  atMs: number,
  direction: Direction,
  frames: readonly Partial<QuicFrame>[],
  packet: Partial<QuicPacket> = {},
  parts: Partial<DissectedPacket> = {},
): DirectedPacket {
  const whole = frames.map((frame): QuicFrame => ({ type: 0, bytes: 1, ...frame }));
  const udp = { from: 1, to: 2, stream: 0, start: 34, headBytes: 8, bytes: 58, connection: 0 };
  return made(atMs, direction, { udp, quic: [{ bytes: 58, frames: whole, ...packet }], ...parts });
}

/** STREAM frame with its offset and length. */
export function streamFrame(stream: number, offset: number, dataBytes: number): QuicFrame {
  return { type: 0x0e, bytes: dataBytes + 4, stream, offset, dataBytes };
}

export const ACK: QuicFrame = { type: 2, bytes: 5, largest: 0, ranges: [0] };
export const LOST = { comments: ['lost on the path'] };

export function eventsOf(packets: readonly DirectedPacket[]): PacketEvent[] {
  const reader = new EventReader();
  return packets.map((packet) => reader.read(packet, packet.direction));
}

export function stepsOf(
  packets: readonly DirectedPacket[],
  minRttMs: number | null = 30,
): FlowStep[] {
  return sequenceOf(eventsOf(packets), minRttMs);
}

const INITIAL = { long: 1, longType: 0 };
const HANDSHAKE = { long: 1, longType: 2 };
const CRYPTO = { type: 6, offset: 0, dataBytes: 300 };

/** A load over 30 ms by HTTP/3: set up, one request, a response of two packets. */
export const QUIC_LOAD: readonly DirectedPacket[] = [
  quic(0, 'toServer', [{ ...CRYPTO, offset: 900 }], INITIAL),
  quic(0.1, 'toServer', [CRYPTO], {
    ...INITIAL,
    handshake: [{ type: 1, protocols: ['h3'], parameters: { initial_max_data: 5000 } }],
  }),
  quic(30, 'toClient', [CRYPTO], { ...INITIAL, handshake: [{ type: 2 }] }),
  quic(30.1, 'toClient', [CRYPTO], {
    ...HANDSHAKE,
    handshake: [{ type: 8 }, { type: 11 }, { type: 15 }, { type: 20 }],
  }),
  quic(31, 'toServer', [CRYPTO], { ...HANDSHAKE, handshake: [{ type: 20 }] }),
  quic(32, 'toServer', [streamFrame(0, 0, 200)]),
  quic(61, 'toClient', [{ type: 0x1e }]),
  quic(63, 'toClient', [streamFrame(0, 0, 1000)], { number: 1 }),
  quic(63.1, 'toClient', [streamFrame(0, 1000, 500)], { number: 2 }),
  quic(63.2, 'toServer', [{ ...ACK, largest: 2, ranges: [1] }]),
];
