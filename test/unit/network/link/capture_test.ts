import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkDirection } from '../../../../network/agent.ts';
import { type KeptPacket, MS, packetOf, TestDirection, tcp, udp } from './made-link.ts';

const DATAGRAM = udp(5000, 443, 0x43);
const segment = (data: string) => tcp(5000, 443, 0x10, data);

/** Kept packets of a load that arrive one ns after the other, sorted by their places. */
function fates(settings: Partial<LinkDirection>, packets: readonly Buffer[]): KeptPacket[] {
  const direction = new TestDirection(settings, { captures: true });
  for (const [number, packet] of packets.entries()) direction.arrive(packet, number);
  direction.leaveAll();
  const kept = direction.kept();
  assert.equal(kept.length, packets.length);
  assert.equal(direction.counts().packets, kept.filter(({ fate }) => fate === 'arrived').length);
  return kept.toSorted((a, b) => a.place - b.place || a.arrivedNs - b.arrivedNs);
}

test('keeps every packet of a load with its fate, and its place behind the previous one', () => {
  const full = fates({ rateKbps: 1000, queueBytes: 130 }, Array(4).fill(DATAGRAM));
  const seen = full.map(({ fate, place }) => [fate, place]);
  const dropped = ['dropped', 5];
  assert.deepEqual(seen, [['arrived', 2], ['arrived', 4], dropped, dropped]);
  const lost = { arrivedNs: 0, leftNs: MS, place: 1, fate: 'lost', packet: DATAGRAM };
  assert.deepEqual(fates({ lossPercent: 100, delayMs: 1 }, [DATAGRAM]), [lost]);
});

test('keeps packets with their arrival and departure times', () => {
  const kept = (delayMs: number) =>
    fates({ delayMs }, [DATAGRAM, segment('odd')]).map((each) => [each.arrivedNs, each.leftNs]);
  assert.deepEqual(kept(1), [
    [0, MS],
    [1, MS + 1],
  ]);
  assert.deepEqual(kept(0), [
    [0, 0],
    [1, 1],
  ]);
});

test('does not keep packets outside a load', () => {
  const direction = new TestDirection({ delayMs: 1, queueBytes: 80 }, { captures: true });
  for (let number = 0; number < 2; number++) direction.arrive(DATAGRAM, 0, { ofLoad: false });
  direction.native.keep_on_the_way(0);
  direction.leave(MS);
  assert.deepEqual(direction.kept(), []);
});

test('keeps nothing without request', () => {
  const direction = new TestDirection({ delayMs: 1 });
  direction.arrive(DATAGRAM, 0);
  direction.native.keep_on_the_way(0);
  direction.leaveAll();
  assert.deepEqual(direction.kept(), []);
});

test('keeps packets in flight at the count behind the counted ones, and again when they leave', () => {
  const direction = new TestDirection({ delayMs: 1 }, { captures: true });
  direction.arrive(DATAGRAM, 0);
  direction.leaveAll();
  direction.arrive(segment('on its way'), 2 * MS);
  direction.native.count_capture();
  direction.native.keep_on_the_way(0);
  direction.native.end_capture();
  direction.leaveAll();
  const { counted, end } = direction.places();
  assert.deepEqual(
    direction.kept(0, counted).map(({ fate }) => fate),
    ['arrived'],
  );
  assert.deepEqual(direction.kept(counted, end), [
    { arrivedNs: 2 * MS, leftNs: 0, place: 4, fate: 'on its way', packet: segment('on its way') },
  ]);
});

test('keeps packets of a load that keeps connections, and reports where they end', () => {
  const direction = new TestDirection({}, { captures: true });
  direction.arrive(DATAGRAM, 0);
  const { end } = direction.places();
  direction.begin({}, { nowNs: 10, keepsConnections: true, captures: true });
  assert.equal(direction.places().earlier, end);
  direction.begin({}, { nowNs: 20, captures: true });
  assert.deepEqual(direction.places(), { earlier: 0, counted: 0, end: 0, missed: 0 });
});

test('misses and counts packets without room, up to the next load', () => {
  const direction = new TestDirection({}, { captures: true });
  for (let number = 0; number < 100; number++) direction.arrive(packetOf(60_000), number);
  const { missed } = direction.places();
  assert.ok(missed > 0);
  assert.equal(direction.kept().length + missed, 100);
  direction.begin({}, { captures: true });
  assert.equal(direction.places().missed, 0);
});

test('loses only the named packets with data', () => {
  const packets = ['', '1', '', '2', null, '4'].map((data) =>
    data === null ? DATAGRAM : segment(data),
  );
  const lost = fates({ losesDataPackets: [2, 3] }, packets).filter(({ fate }) => fate === 'lost');
  assert.deepEqual(
    lost.map(({ packet }) => packet),
    [segment('2'), DATAGRAM],
  );
});

test('does not advance the series of losses for named packets', () => {
  const lost = (settings: Partial<LinkDirection>) =>
    fates({ lossPercent: 20, seed: 3, ...settings }, Array(200).fill(DATAGRAM))
      .filter(({ fate }) => fate === 'lost')
      .map(({ arrivedNs }) => arrivedNs);
  assert.deepEqual(new Set(lost({ losesDataPackets: [7] })), new Set([...lost({}), 6]));
});
