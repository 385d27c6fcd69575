import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkDirection } from '../../../../network/agent.ts';
import { ipPacket, MS, TestDirection, tcp, udp } from './made-link.ts';

const BLOCKED: Partial<LinkDirection> = {
  udp: { treatment: 'blocked', kbps: null, burstBytes: 0 },
};
const DATAGRAM = udp(40_000, 443, 0xc3);
const OTHER_PACKETS = { tcp: tcp(40_000, 443, 0x02), icmp: ipPacket(1, 0, 0, Buffer.alloc(8)) };
const DNS = [udp(40_000, 53, 0), udp(53, 40_000, 0)];

/** A datagram with this length in a qdisc. */
function datagramOf(bytes: number): Buffer {
  return ipPacket(17, 40_000, 443, Buffer.alloc(bytes - 14 - 24));
}

test('blocks UDP and counts it separately, and passes everything else, including DNS', () => {
  const direction = new TestDirection({ ...BLOCKED, delayMs: 5 });
  assert.equal(direction.arrive(DATAGRAM, 0), false);
  assert.equal(direction.nextDueNs(), null);
  const { packets, lost, queueDrops, udpDropped } = direction.counts();
  assert.deepEqual(
    { packets, lost, queueDrops, udpDropped },
    {
      packets: 0,
      lost: 0,
      queueDrops: 0,
      udpDropped: 1,
    },
  );
  for (const packet of [...Object.values(OTHER_PACKETS), ...DNS]) direction.arrive(packet, 0);
  assert.equal(direction.leaveAll().length, 4);
});

test('blocks UDP outside a load as well, without counting it', () => {
  const direction = new TestDirection(BLOCKED);
  assert.equal(direction.arrive(DATAGRAM, 0, { ofLoad: false }), false);
  assert.equal(direction.counts().udpDropped, 0);
});

test('ends a treatment with the next load', () => {
  const direction = new TestDirection(BLOCKED);
  direction.begin({});
  assert.ok(direction.arrive(DATAGRAM, 0));
});

test('does not advance the seeded series of losses for blocked UDP', () => {
  const settings = { lossPercent: 20, seed: 5 };
  const [alone, among] = [
    new TestDirection(settings),
    new TestDirection({ ...settings, ...BLOCKED }),
  ];
  for (let number = 0; number < 300; number++) {
    alone.arrive(OTHER_PACKETS.tcp, number);
    among.arrive(DATAGRAM, number);
    among.arrive(OTHER_PACKETS.tcp, number);
  }
  assert.ok(alone.counts().lost > 0);
  assert.equal(among.counts().lost, alone.counts().lost);
});

test('captures dropped packets with their fate', () => {
  const direction = new TestDirection(BLOCKED, { captures: true });
  direction.arrive(DATAGRAM, 7);
  const [kept] = direction.kept();
  assert.deepEqual([kept?.fate, kept?.packet], ['UDP dropped', DATAGRAM]);
});

test('passes throttled UDP as long as the bucket has room, and then at its rate', () => {
  const direction = new TestDirection({
    udp: { treatment: 'throttled', kbps: 1000, burstBytes: 10_000 },
  });
  const passed = (nowNs: number, bytes = 1000) => direction.arrive(datagramOf(bytes), nowNs);
  assert.deepEqual(
    Array.from({ length: 11 }, () => passed(0)),
    [...Array<boolean>(10).fill(true), false],
  );
  // A kilobyte takes 8 ms at 1 Mbit/s; dropped packets took nothing.
  assert.equal(passed(7.99 * MS), false);
  assert.equal(passed(8 * MS), true);
  assert.equal(passed(8 * MS), false);
  assert.equal(direction.counts().udpDropped, 3);
  // Over a second as many as the rate allows, and TCP is not affected.
  const many = Array.from({ length: 4000 }, (_, number) =>
    passed(8 * MS + (number + 1) * (MS / 4)),
  );
  assert.equal(many.filter(Boolean).length, 125);
  assert.ok(direction.arrive(OTHER_PACKETS.tcp, 2000 * MS));
});

test('takes nothing out of the bucket for earlier loads', () => {
  const direction = new TestDirection({
    udp: { treatment: 'throttled', kbps: 1000, burstBytes: 1500 },
  });
  for (let number = 0; number < 5; number++) {
    assert.ok(direction.arrive(datagramOf(1000), 0, { ofLoad: false }));
  }
  assert.ok(direction.arrive(datagramOf(1000), 0));
  assert.equal(direction.counts().udpDropped, 0);
});

test('never overfills the bucket', () => {
  const direction = new TestDirection({
    udp: { treatment: 'throttled', kbps: 1000, burstBytes: 3000 },
  });
  const after = Array.from({ length: 5 }, () => direction.arrive(datagramOf(1000), 10_000 * MS));
  assert.deepEqual(after, [true, true, true, false, false]);
});

/** The link's reply to a packet's sender. */
function refusalOf(packet: Buffer): Buffer {
  const { native } = new TestDirection();
  const answer = Buffer.alloc(10 + 576);
  return answer.subarray(10, native.refuse(packet, packet.length, answer));
}

function sumOf(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    sum += (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

test('rejects UDP by ICMP, administratively prohibited, with the packet and correct checksums', () => {
  const direction = new TestDirection({
    udp: { treatment: 'rejected', kbps: null, burstBytes: 0 },
  });
  assert.equal(direction.native.arrive(0, DATAGRAM, DATAGRAM.length, 0, 1), 2);
  const refused = DATAGRAM.subarray(10);
  const answer = refusalOf(DATAGRAM);
  assert.equal(answer.length, 20 + 8 + refused.length);
  assert.equal(answer.readUInt16BE(2), answer.length);
  assert.deepEqual([...answer.subarray(16, 20)], [...refused.subarray(12, 16)]);
  assert.deepEqual([...answer.subarray(12, 16)], [...refused.subarray(16, 20)]);
  assert.deepEqual([answer[9], answer[20], answer[21]], [1, 3, 13]);
  assert.deepEqual(answer.subarray(28), refused);
  assert.deepEqual([sumOf(answer.subarray(0, 20)), sumOf(answer.subarray(20))], [0xffff, 0xffff]);
});

test('quotes the beginning of a long packet, and sums up an odd number of bytes too', () => {
  assert.equal(refusalOf(datagramOf(1500)).length, 576);
  const odd = refusalOf(datagramOf(101));
  assert.equal(sumOf(odd.subarray(20)), 0xffff);
});
