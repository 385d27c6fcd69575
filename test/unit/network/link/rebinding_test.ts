import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLIENT_ADDRESS, OTHER_CLIENT_ADDRESS } from '../../../../network/addresses.ts';
import type { LinkEvent } from '../../../../network/agent.ts';
import { beginEvent, eventCountsOf } from '../../../../network/userspace/link/event.ts';
import { compileLink } from '../../../../network/userspace/link/native.ts';
import { MS } from './made-link.ts';

const SERVER_ADDRESS = '10.89.1.1';
const SERVER_PORT = 443;
const [TCP, UDP] = [6, 17] as const;
const [HEADER_BYTES, IP_BYTES] = [10, 20];
const NEEDS_CHECKSUM = 1;
const [FIN, SYN, ACK] = [0x01, 0x02, 0x10];
/** Outside of the range that Linux gives to clients. */
const MIN_NEW_PORT = 61_000;

interface Ends {
  source: string;
  sourcePort: number;
  target: string;
  targetPort: number;
}

/** RFC 1071. */
function sumOf(...parts: Uint8Array[]): number {
  const bytes = Buffer.concat(parts);
  let sum = 0;
  for (const [at, byte] of bytes.entries()) sum += at % 2 === 0 ? byte << 8 : byte;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

function pseudoHeader(ip: Buffer): Buffer {
  const tail = Buffer.from([0, ip[9] ?? 0, 0, 0]);
  tail.writeUInt16BE(ip.length - IP_BYTES, 2);
  return Buffer.concat([ip.subarray(12, 20), tail]);
}

const checksumPlace = (protocol: number) => IP_BYTES + (protocol === TCP ? 16 : 6);

interface Kind {
  /** Flags of TCP. Default: ACK. */
  flags?: number;
  /** whole: as it is sent; partial: the kernel leaves the rest to hardware; none: UDP without one. */
  checksum: 'whole' | 'partial' | 'none';
  data: string;
}

/** A packet as the kernel makes it. */
function packetOf(protocol: number, ends: Ends, { flags = ACK, checksum, data }: Kind): Buffer {
  const headBytes = protocol === TCP ? 20 : 8;
  const ip = Buffer.concat([Buffer.alloc(IP_BYTES + headBytes), Buffer.from(data)]);
  ip.set([0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 64, protocol]);
  ip.writeUInt16BE(ip.length, 2);
  ip.set(ends.source.split('.').map(Number), 12);
  ip.set(ends.target.split('.').map(Number), 16);
  ip.writeUInt16BE(0xffff - sumOf(ip.subarray(0, IP_BYTES)), 10);
  ip.writeUInt16BE(ends.sourcePort, 20);
  ip.writeUInt16BE(ends.targetPort, 22);
  if (protocol === TCP) ip.set([0x50, flags], 32);
  else ip.writeUInt16BE(ip.length - IP_BYTES, 24);
  const pseudo = pseudoHeader(ip);
  const sum = checksum === 'partial' ? sumOf(pseudo) : 0xffff - sumOf(pseudo, ip.subarray(20));
  ip.writeUInt16BE(checksum === 'none' ? 0 : sum || 0xffff, checksumPlace(protocol));
  const header = Buffer.alloc(HEADER_BYTES);
  if (checksum === 'partial') header[0] = NEEDS_CHECKSUM;
  return Buffer.concat([header, ip]);
}

/** The ends of a packet, whose checksums must be right. */
function endsOf(packet: Buffer): Ends {
  const ip = packet.subarray(HEADER_BYTES);
  assert.equal(sumOf(ip.subarray(0, IP_BYTES)), 0xffff, 'the checksum of its IP header');
  const place = checksumPlace(ip[9] ?? 0);
  const stands = ip.readUInt16BE(place);
  if (packet[0] === NEEDS_CHECKSUM) assert.equal(stands, sumOf(pseudoHeader(ip)));
  else if (stands !== 0) assert.equal(sumOf(pseudoHeader(ip), ip.subarray(IP_BYTES)), 0xffff);
  else assert.equal(ip[9], UDP, 'only UDP may have no checksum');
  return {
    source: ip.subarray(12, 16).join('.'),
    sourcePort: ip.readUInt16BE(20),
    target: ip.subarray(16, 20).join('.'),
    targetPort: ip.readUInt16BE(22),
  };
}

const REBIND: LinkEvent = { afterMs: 500, cutMs: null, address: null };
const MOVE: LinkEvent = { afterMs: 500, cutMs: null, address: OTHER_CLIENT_ADDRESS };
const WHOLE: Kind = { checksum: 'whole', data: 'odd' };

/** A router of a separate link. */
function madeRouter(event?: LinkEvent) {
  const native = compileLink();
  const begin = (next?: LinkEvent, keepsConnections = false) => {
    native.begin_ports(Number(keepsConnections), 0);
    beginEvent(native, next, keepsConnections);
  };
  begin(event);
  return {
    begin,
    /** A packet from a port of the client, as servers see it. */
    sent(atMs: number, sourcePort: number, protocol: number = UDP, kind = WHOLE): Ends {
      const from = { source: CLIENT_ADDRESS, sourcePort };
      const to = { target: SERVER_ADDRESS, targetPort: SERVER_PORT };
      const packet = packetOf(protocol, { ...from, ...to }, kind);
      const ofLoad = native.owns(0, packet, packet.length);
      native.send_out(packet, packet.length, atMs * MS, ofLoad);
      return endsOf(packet);
    },
    /** A packet to the address that servers see, as the client gets it; null: nothing. */
    received(atMs: number, seen: Ends, protocol: number = UDP, kind = WHOLE): Ends | null {
      const from = { source: seen.target, sourcePort: seen.targetPort };
      const to = { target: seen.source, targetPort: seen.sourcePort };
      const packet = packetOf(protocol, { ...from, ...to }, kind);
      const isOwn = native.owns(1, packet, packet.length) === 1;
      if (!native.bring_home(packet, packet.length, atMs * MS)) return null;
      assert.ok(isOwn, 'what comes for a new port is the load’s');
      return endsOf(packet);
    },
    counts: (atMs: number) => eventCountsOf(native, atMs * MS),
  };
}

const PORT = 40_001;
const HOME: Ends = {
  source: SERVER_ADDRESS,
  sourcePort: SERVER_PORT,
  target: CLIENT_ADDRESS,
  targetPort: PORT,
};

const KINDS: readonly [name: string, protocol: number, Kind][] = [
  ...(['whole', 'partial'] as const).flatMap((checksum) =>
    ([TCP, UDP] as const).flatMap((protocol) =>
      ['', 'odd', 'even'].map((data): [string, number, Kind] => [
        `${protocol === TCP ? 'TCP' : 'UDP'}, ${checksum} checksum, ${data.length} bytes`,
        protocol,
        { checksum, data },
      ]),
    ),
  ),
  ['UDP without a checksum', UDP, { checksum: 'none', data: 'data' }],
];

for (const [event, isMoved] of [
  [REBIND, false],
  [MOVE, true],
] as const) {
  for (const [name, protocol, kind] of KINDS) {
    test(`${isMoved ? 'another address' : 'another port'}: ${name}`, () => {
      const { sent, received, counts } = madeRouter(event);
      const before = sent(100, PORT, protocol, kind);
      assert.equal(before.sourcePort, PORT);
      assert.deepEqual(received(110, before, protocol, kind), HOME);
      assert.equal(sent(599, PORT, protocol, kind).sourcePort, PORT);

      const after = sent(600, PORT, protocol, kind);
      assert.ok(after.sourcePort >= MIN_NEW_PORT, `${after.sourcePort}`);
      assert.equal(after.source, isMoved ? OTHER_CLIENT_ADDRESS : CLIENT_ADDRESS);
      assert.deepEqual(received(610, after, protocol, kind), HOME);
      assert.equal(received(610, before, protocol, kind), null);
      assert.deepEqual(sent(620, PORT, protocol, kind), after);
      assert.deepEqual(counts(700), {
        firstPacketMs: 100,
        happenedAtMs: 500,
        changedConnections: 1,
        laterConnections: 0,
        forgottenPackets: 1,
      });
    });
  }
}

test('forgets the old port from the event on, not from the next packet of the client', () => {
  const { sent, received } = madeRouter(REBIND);
  const before = sent(0, PORT);
  assert.ok(received(499, before));
  assert.equal(received(500, before), null);
});

test('keeps ports and the address of connections that begin later', () => {
  const { sent, received, counts } = madeRouter(MOVE);
  sent(0, PORT);
  const later = sent(500, PORT + 1);
  assert.deepEqual([later.source, later.sourcePort], [CLIENT_ADDRESS, PORT + 1]);
  assert.ok(received(510, later));
  const { changedConnections, laterConnections } = counts(510);
  assert.deepEqual([changedConnections, laterConnections], [1, 1]);
});

test('gives every connection a separate port, with the same number of TCP and UDP as two', () => {
  const { sent, counts } = madeRouter(REBIND);
  const ports = Array.from({ length: 20 }, (_, index) => PORT + index);
  for (const port of ports) for (const protocol of [TCP, UDP]) sent(0, port, protocol);
  const seen = [TCP, UDP].map((protocol) => ports.map((port) => sent(600, port, protocol)));
  for (const ends of seen) assert.equal(new Set(ends.map((each) => each.sourcePort)).size, 20);
  assert.equal(counts(600).changedConnections, 40);
});

test('does not change ended connections, and takes a new one on the same port for a later one', () => {
  const { sent, counts } = madeRouter(REBIND);
  sent(0, PORT, TCP);
  sent(100, PORT, TCP, { ...WHOLE, flags: FIN | ACK });
  assert.equal(sent(600, PORT, TCP).sourcePort, PORT);
  assert.equal(counts(600).changedConnections, 0);
  sent(700, PORT, TCP, { ...WHOLE, flags: SYN });
  assert.equal(sent(800, PORT, TCP).sourcePort, PORT);
  assert.equal(counts(800).laterConnections, 1);
});

test('captures the ports of the client, and reports those that servers see', () => {
  for (const event of [REBIND, MOVE]) {
    const native = compileLink();
    const memory = Buffer.alloc(4096);
    native.keep_packets_in(memory, memory.length);
    native.begin_capture(0);
    beginEvent(native, event, false);
    const ends = { target: SERVER_ADDRESS, targetPort: SERVER_PORT };
    const packet = packetOf(UDP, { source: CLIENT_ADDRESS, sourcePort: PORT, ...ends }, WHOLE);
    const before = Buffer.from(packet);
    for (const atMs of [0, 600]) native.send_out(packet, packet.length, atMs * MS, 1);
    native.keep_packet(0, 0, 0, 2, 0, packet, packet.length);
    const outside = endsOf(packet);
    assert.deepEqual(memory.subarray(40, 40 + packet.length), before);
    assert.equal(memory.readUInt16LE(30), outside.sourcePort);
    assert.equal(memory.subarray(32, 36).join('.'), outside.source);
  }
});

test('changes nothing without an event', () => {
  const { sent, received, counts } = madeRouter();
  const before = sent(0, PORT);
  assert.deepEqual(sent(3_600_000, PORT), before);
  assert.ok(received(3_600_000, before));
  assert.equal(counts(3_600_000).happenedAtMs, null);
});

test('has no event in a load that sends nothing', () => {
  const { counts } = madeRouter(REBIND);
  const { firstPacketMs, happenedAtMs } = counts(10_000);
  assert.deepEqual([firstPacketMs, happenedAtMs], [null, null]);
});

test('applies an event although nothing is sent any more', () => {
  const { sent, counts } = madeRouter(REBIND);
  sent(0, PORT);
  assert.equal(counts(499).happenedAtMs, null);
  assert.equal(counts(501).happenedAtMs, 500);
});

test('keeps its connections after a load, and treats a new one on the same port as new', () => {
  const { sent, received, begin } = madeRouter(REBIND);
  sent(0, PORT, TCP);
  const after = sent(600, PORT, TCP);
  begin();
  assert.deepEqual(sent(700, PORT, TCP), after);
  const initial = { ...WHOLE, data: `\xc3${'.'.repeat(20)}` };
  sent(0, PORT, UDP);
  begin(REBIND);
  const renewed = sent(1000, PORT, UDP, initial);
  assert.equal(renewed.sourcePort, PORT);
  assert.ok(received(1010, renewed));
});

test('changes kept connections in the load that keeps them', () => {
  const { sent, begin, counts } = madeRouter();
  sent(0, PORT);
  begin(REBIND, true);
  assert.equal(sent(1000, PORT).sourcePort, PORT);
  assert.notEqual(sent(1500, PORT).sourcePort, PORT);
  assert.equal(counts(1500).changedConnections, 1);
});

test('passes packets without ports unchanged', () => {
  const native = compileLink();
  beginEvent(native, REBIND, false);
  for (const bytes of [0, 9, 10, 30, 33]) {
    const packet = Buffer.alloc(bytes, 0x45);
    const before = Buffer.from(packet);
    native.send_out(packet, bytes, 0, 1);
    assert.equal(native.bring_home(packet, bytes, 1000 * MS), 1);
    assert.deepEqual(packet, before);
  }
});
