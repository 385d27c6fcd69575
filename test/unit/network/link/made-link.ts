import { read, toArrayBuffer } from 'bun:ffi';
import { CLIENT_ADDRESS } from '../../../../network/addresses.ts';
import type { LinkCounts, LinkDirection } from '../../../../network/agent.ts';
import {
  beginDirection,
  countsOf,
  DIRECTIONS,
} from '../../../../network/userspace/link/directions.ts';
import { compileLink } from '../../../../network/userspace/link/native.ts';

export const MS = 1_000_000;
export const UNLIMITED_BYTES = 64 * 1024 * 1024;

const NOTHING: LinkDirection = {
  delayMs: 0,
  jitterMs: 0,
  rateKbps: null,
  queueBytes: UNLIMITED_BYTES,
  lossPercent: 0,
  burstLoss: null,
  seed: 1,
};

const STEPS = 60_000;
const SAMPLE_BYTES = 64;
const KEPT_BYTES = 40;
/** Offsets of the length and the bytes of a packet in flight. */
const LENGTH_AT = 36;
const BYTES_AT = 40;
const DEVICE_HEADER_BYTES = 10;
const ETHERNET_HEADER_BYTES = 14;

/** An IP packet as a TUN device gives it. */
export function onDevice(ip: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(DEVICE_HEADER_BYTES), ip]);
}

/** A packet of this length with its Ethernet header and these first bytes. */
export function packetOf(countedBytes: number, first = 0): Buffer {
  return onDevice(Buffer.from([first, ...Buffer.alloc(countedBytes - ETHERNET_HEADER_BYTES - 1)]));
}

/** 1.2 ms at 10 Mbit/s. */
export const PACKET = packetOf(1500);

const TCP = 6;
const UDP = 17;

export function ipPacket(protocol: number, source: number, target: number, rest: Uint8Array) {
  const head = Buffer.alloc(24);
  head[0] = 0x45;
  head[9] = protocol;
  head.set(CLIENT_ADDRESS.split('.').map(Number), 12);
  head.writeUInt16BE(source, 20);
  head.writeUInt16BE(target, 22);
  return onDevice(Buffer.concat([head, rest]));
}

export function tcp(source: number, target: number, flags: number, data = ''): Buffer {
  const rest = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0x50, flags, 0, 0, 0, 0, 0, 0]);
  return ipPacket(TCP, source, target, Buffer.concat([rest, Buffer.from(data)]));
}

export function udp(
  source: number,
  target: number,
  firstByte: number,
  version: readonly number[] = [0, 0, 0, 0],
): Buffer {
  const rest = Buffer.from([0, 0, 0, 0, firstByte, ...version, ...Buffer.alloc(16)]);
  return ipPacket(UDP, source, target, rest);
}

/** A packet as it is kept for a file; `place` is twice its number. */
export interface KeptPacket {
  arrivedNs: number;
  leftNs: number;
  place: number;
  fate: (typeof FATES)[number];
  packet: Buffer;
}

const FATES = [
  'arrived',
  'lost',
  'dropped',
  'on its way',
  'UDP dropped',
  'forgotten',
  'cut',
] as const;

/** One direction of its own link, on the test's clock. */
export class TestDirection {
  readonly native = compileLink();
  readonly #name: (typeof DIRECTIONS)[number];
  readonly #number: number;
  readonly #samples = new Uint8Array(2 * STEPS * SAMPLE_BYTES);
  readonly #capture = Buffer.alloc(1 << 20);

  constructor(
    settings: Partial<LinkDirection> = {},
    {
      name = 'toServer',
      captures = false,
    }: { name?: (typeof DIRECTIONS)[number]; captures?: boolean } = {},
  ) {
    this.#name = name;
    this.#number = DIRECTIONS.indexOf(name);
    this.native.sample_in(this.#samples);
    this.native.keep_packets_in(this.#capture, this.#capture.length);
    this.begin(settings, { captures });
  }

  begin(
    settings: Partial<LinkDirection>,
    { nowNs = 0, keepsConnections = false, captures = false } = {},
  ): void {
    const beginning = { nowNs, keepsConnections, captures };
    this.native.begin_capture(Number(keepsConnections));
    beginDirection(this.native, this.#name, { ...NOTHING, ...settings }, beginning);
  }

  /** Whether it leaves at once. */
  arrive(packet: Buffer, nowNs: number, { ofLoad = true } = {}): boolean {
    const leaves = this.native.arrive(this.#number, packet, packet.length, nowNs, Number(ofLoad));
    return leaves === 1;
  }

  /** When the next packet leaves; null: none waits. */
  nextDueNs(): number | null {
    const dueNs = Number(this.native.next_due_ns(this.#number));
    return dueNs < 0 ? null : dueNs;
  }

  /** null: the packet was held, and enters the link now. */
  leave(nowNs: number): Buffer | null {
    const packet = this.native.leave(this.#number, nowNs);
    if (!packet) return null;
    const length = read.i32(packet, LENGTH_AT);
    return Buffer.from(toArrayBuffer(packet, BYTES_AT, length).slice(0));
  }

  /** Sends the waiting packets, each exactly when it is due. */
  leaveAll(): { dueNs: number; packet: Buffer }[] {
    const left: { dueNs: number; packet: Buffer }[] = [];
    for (let dueNs = this.nextDueNs(); dueNs !== null; dueNs = this.nextDueNs()) {
      const packet = this.leave(dueNs);
      if (packet) left.push({ dueNs, packet });
    }
    return left;
  }

  counts(nowNs = 0): LinkCounts {
    return countsOf(this.native, this.#name, nowNs);
  }

  /** Whether each of this number of packets, one after the other, was lost. */
  losses(count: number): boolean[] {
    let before = this.counts().lost;
    return Array.from({ length: count }, (_, number) => {
      this.arrive(PACKET, number);
      const { lost } = this.counts();
      const isLost = lost > before;
      before = lost;
      return isLost;
    });
  }

  /**
   * The sample of a step: counts, then how long it was busy in ns, what waited at most, and the
   * capacity.
   */
  sample(step: number): { packets: number; bytes: number; lost: number; queueDrops: number } & {
    busyNs: number;
    mostQueuedBytes: number;
    mostWaitNs: number;
    capacityBytes: number;
  } {
    const at = (this.#number * STEPS + step) * SAMPLE_BYTES;
    const view = new DataView(this.#samples.buffer, at, SAMPLE_BYTES);
    const counted = (field: number) => Number(view.getBigInt64(8 * field, true));
    return {
      packets: counted(0),
      bytes: counted(1),
      lost: counted(2),
      queueDrops: counted(3),
      busyNs: view.getFloat64(32, true),
      mostQueuedBytes: view.getFloat64(40, true),
      mostWaitNs: view.getFloat64(48, true),
      capacityBytes: view.getFloat64(56, true),
    };
  }

  /** Number of steps with possible samples. */
  steps(): number {
    const beganAndUsed = new BigInt64Array(2);
    this.native.sampled(beganAndUsed);
    return Number(beganAndUsed[1]);
  }

  /**
   * Ends in the memory of earlier packets, counted ones, and all, in bytes; and the number of
   * missed ones.
   */
  places(): { earlier: number; counted: number; end: number; missed: number } {
    const places = new BigInt64Array(4);
    this.native.capture_places(places);
    const [earlier = 0, counted = 0, end = 0, missed = 0] = Array.from(places, Number);
    return { earlier, counted, end, missed };
  }

  kept(from = 0, end = this.places().end): KeptPacket[] {
    const kept: KeptPacket[] = [];
    for (let at = from; at < end; ) {
      const view = this.#capture.subarray(at);
      const number = (field: number) => Number(view.readBigInt64LE(8 * field));
      const length = view.readInt32LE(24);
      kept.push({
        arrivedNs: number(0),
        leftNs: number(1),
        place: number(2),
        fate: FATES[view[29] ?? 0] as KeptPacket['fate'],
        packet: Buffer.from(view.subarray(KEPT_BYTES, KEPT_BYTES + length)),
      });
      at += (KEPT_BYTES + length + 7) & ~7;
    }
    return kept;
  }
}
