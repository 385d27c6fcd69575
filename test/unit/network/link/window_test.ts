import { read, toArrayBuffer } from 'bun:ffi';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkEvent } from '../../../../network/agent.ts';
import { beginEvent } from '../../../../network/userspace/link/event.ts';
import { beginInterventions } from '../../../../network/userspace/link/interventions.ts';
import { compileLink } from '../../../../network/userspace/link/native.ts';
import { ipPacket, MS, TestDirection, tcp } from './made-link.ts';

const DELAY_MS = 15;
const RTT_MS = 2 * DELAY_MS;
const PORT = 40_001;
const FULL_BYTES = 1252;
const ACK = 0x10;
/** Offsets of the length and the bytes of a held packet. */
const [LENGTH_AT, BYTES_AT] = [16, 20];
const GROUP_BYTES_AT = 4;

/** A packet of QUIC to the client with this payload, which begins with a number. */
function quic(payloadBytes: number, { number = 0, port = PORT, serverPort = 443 } = {}): Buffer {
  const rest = Buffer.alloc(4 + payloadBytes);
  rest[4] = number;
  return ipPacket(17, serverPort, port, rest);
}

/** A server that sends at once, its link, and a client that acknowledges each packet at once. */
class TestSender {
  readonly native = compileLink();
  /** Packets on the link and when they leave. */
  readonly #onLink: { packet: Buffer; leavesMs: number }[] = [];
  #nowMs = 0;

  constructor(packets: number) {
    this.begin(packets);
  }

  begin(packets: number, keepsConnections = false): void {
    const toServer = { delayMs: DELAY_MS };
    beginInterventions(this.native, {
      countedWindowBytes: packets * FULL_BYTES,
      toServer,
      keepsConnections,
    });
  }

  /** Sends packets one after the other, and returns how many are not held. */
  send(packets: readonly Buffer[]): number {
    return packets.filter((packet) => {
      const isHeld = this.native.hold(packet, packet.length, this.#nowMs * MS) === 1;
      if (!isHeld) this.#enter(packet);
      return !isHeld;
    }).length;
  }

  #enter(packet: Buffer): void {
    this.#onLink.push({ packet, leavesMs: this.#nowMs + DELAY_MS });
  }

  /** Packets that the link releases now. */
  release(): Buffer[] {
    const released: Buffer[] = [];
    for (;;) {
      const held = this.native.release(this.#nowMs * MS);
      if (!held) return released;
      const bytes = toArrayBuffer(held, BYTES_AT, read.i32(held, LENGTH_AT));
      const packet = Buffer.from(bytes.slice(0));
      released.push(packet);
      this.#enter(packet);
    }
  }

  /** Lets time pass, and returns the packets released in it. */
  pass(ms: number): Buffer[] {
    const released: Buffer[] = [];
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs; this.#nowMs++) {
      while ((this.#onLink[0]?.leavesMs ?? Infinity) <= this.#nowMs) {
        const { packet } = this.#onLink.shift() ?? assert.fail();
        this.native.note_left(packet, packet.length, this.#nowMs * MS);
      }
      released.push(...this.release());
    }
    return released;
  }

  /** null: no packet is held, or one has to leave first. */
  nextReleaseMs(): number | null {
    const ns = Number(this.native.next_release_ns());
    return ns < 0 ? null : ns / MS;
  }
}

const full = (count: number) => Array.from({ length: count }, () => quic(FULL_BYTES));

test('holds what exceeds the first window, and doubles it each round trip', () => {
  const sender = new TestSender(10);
  assert.equal(sender.send(full(100)), 10);
  assert.equal(sender.nextReleaseMs(), null);
  assert.equal(sender.pass(RTT_MS).length, 0);
  assert.equal(sender.nextReleaseMs(), RTT_MS);
  for (const packets of [20, 40, 30]) assert.equal(sender.pass(RTT_MS).length, packets);
  assert.equal(sender.nextReleaseMs(), null);
});

test('keeps the order of packets', () => {
  const sender = new TestSender(2);
  sender.send(Array.from({ length: 8 }, (_, number) => quic(number === 5 ? 20 : 1252, { number })));
  const released = sender.pass(4 * RTT_MS).map((packet) => packet[38]);
  assert.deepEqual(released, [2, 3, 4, 5, 6, 7]);
});

test('counts bytes, not packets, of QUIC', () => {
  const sender = new TestSender(10);
  sender.send(full(1));
  sender.pass(RTT_MS + 1);
  const small = Array.from({ length: 1000 }, () => quic(100));
  // 12,520 bytes; the last one may exceed the window.
  assert.equal(sender.send(small), 126);
  assert.equal(sender.pass(2 * RTT_MS).length, 252);
});

test('does not let a window grow that is used by half or less', () => {
  for (const [packets, next] of [
    [5, 10],
    [6, 12],
    [10, 20],
  ] as const) {
    const sender = new TestSender(10);
    assert.equal(sender.send(full(packets)), packets);
    sender.pass(RTT_MS + 1);
    assert.equal(sender.send(full(100)), next);
  }
});

test('forgets the use of a window a round trip later', () => {
  const sender = new TestSender(10);
  for (const packets of [10, 1, 1, 1]) {
    sender.send(full(packets));
    sender.pass(RTT_MS + 1);
  }
  assert.equal(sender.send(full(100)), 20);
});

test('releases all once a packet of the connection is lost, and holds no more', () => {
  const sender = new TestSender(10);
  sender.send(full(50));
  const [lost] = full(1);
  assert.ok(lost);
  sender.native.end_window(lost, lost.length, 0);
  assert.equal(sender.nextReleaseMs(), 0);
  assert.equal(sender.release().length, 40);
  assert.equal(sender.send(full(50)), 50);
});

test('ends with packets that a direction loses or drops', () => {
  for (const settings of [{ lossPercent: 100 }, { rateKbps: 8, queueBytes: 1 }]) {
    const direction = new TestDirection(settings, { name: 'toClient' });
    beginInterventions(direction.native, {
      countedWindowBytes: FULL_BYTES,
      toServer: { delayMs: 0 },
      keepsConnections: false,
    });
    const packet = quic(1252);
    const isHeld = () => direction.native.hold(packet, packet.length, 0) === 1;
    assert.deepEqual([isHeld(), isHeld()], [false, true]);
    for (let sent = 0; sent < 2; sent++) direction.arrive(packet, 0);
    assert.ok(direction.native.release(0), 'is over');
  }
});

test('holds no packet of TCP', () => {
  const sender = new TestSender(1);
  const data = Array.from({ length: 50 }, () => tcp(443, PORT, ACK, 'x'.repeat(1000)));
  assert.equal(sender.send(data), 50);
});

test('has a window for each connection, also of one port with two servers', () => {
  const sender = new TestSender(10);
  const of = (options: object) => Array.from({ length: 20 }, () => quic(1252, options));
  for (const options of [{}, { port: PORT + 1 }, { serverPort: 8443 }]) {
    assert.equal(sender.send(of(options)), 10);
  }
});

test('measures a group of packets by its packets', () => {
  const group = quic(12_520);
  group.writeUInt16LE(1252, GROUP_BYTES_AT);
  const sender = new TestSender(15);
  assert.equal(sender.send([group, group]), 1);
  sender.pass(RTT_MS);
  assert.equal(sender.send([group]), 0);
  assert.equal(sender.pass(1).length, 2);
});

test('forgets the connections of a load, unless the next one keeps them', () => {
  const sender = new TestSender(10);
  sender.send(full(50));
  sender.begin(10, true);
  assert.equal(sender.send(full(1)), 0);
  sender.begin(10);
  assert.equal(sender.pass(2 * RTT_MS).length, 0);
  assert.equal(sender.send(full(50)), 10);
});

test('holds nothing without a window, nor packets without a connection', () => {
  const sender = new TestSender(0);
  assert.equal(sender.send(full(1000)), 1000);
  sender.begin(1);
  const icmp = ipPacket(1, 0, 0, Buffer.alloc(1000));
  assert.equal(sender.send([icmp, icmp, icmp, icmp.subarray(0, 12)]), 4);
});

test('keeps the window of a connection that gets another port outside', () => {
  const sender = new TestSender(10);
  const rebind: LinkEvent = { afterMs: 0, cutMs: null, address: null };
  const own = ipPacket(17, PORT, 443, Buffer.alloc(40));
  beginEvent(sender.native, { ...rebind, afterMs: 1 }, false);
  sender.native.send_out(own, own.length, 0, 1);
  assert.equal(sender.send(full(10)), 10);
  sender.native.send_out(own, own.length, 2 * MS, 1);
  const outside = own.readUInt16BE(30);
  assert.notEqual(outside, PORT);
  assert.equal(sender.send([quic(1252, { port: outside })]), 0);
});
