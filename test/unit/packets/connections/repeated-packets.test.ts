import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RepeatedPackets } from '../../../../packets/connections/capture-reader.ts';
import { crypto, datagram, quicPacket, segment, type TimedPacket } from '../made-packets.ts';

/** Packets of a capture that are found to be repeated in it. */
function found(packets: readonly TimedPacket[], ids: readonly number[] = []): boolean[] {
  const repeated = new RepeatedPackets();
  return packets.map(({ packet, atMs }, index) => {
    const id = ids[index];
    const ip = packet.ip && { ...packet.ip, ...(id !== undefined && { id }) };
    return repeated.take({ ...packet, ip }, atMs);
  });
}

test('finds QUIC packets by their numbers, in both directions and all spaces', () => {
  const of = (atMs: number, number: number, space: 'initial' | 'handshake' | 'short' = 'short') =>
    datagram(atMs, 'toServer', [quicPacket(space, number, [crypto(0, 300)])]);
  assert.deepEqual(found([of(0, 1), of(0.02, 1), of(0.04, 2), of(0.5, 1)]), [
    false,
    true,
    false,
    true,
  ]);
  const answer = datagram(1, 'toClient', [quicPacket('short', 1, [crypto(0, 300)])]);
  assert.deepEqual(found([of(0, 1), of(0, 1, 'initial'), of(0, 1, 'handshake'), answer]), [
    false,
    false,
    false,
    false,
  ]);
  // After Version Negotiation numbers begin again.
  const [two] = [quicPacket('initial', 0, [crypto(0, 300)], { version: 0x6b3343cf })];
  const packets = [of(0, 0, 'initial'), datagram(9, 'toServer', [two as never])];
  assert.deepEqual(found(packets), [false, false]);
});

test('distinguishes a retransmitted segment from one captured twice', () => {
  const data = { sequence: 1, bytes: 1000 };
  const twice = [segment(0, 'toClient', data), segment(0.02, 'toClient', data)];
  // By the identification of IPv4, or, without one, by the timestamps.
  assert.deepEqual(found(twice, [7, 7]), [false, true]);
  assert.deepEqual(found(twice, [7, 8]), [false, false]);
  // Without either, a retransmission comes at least a round trip later.
  assert.deepEqual(found(twice, [0, 0]), [false, true]);
  assert.deepEqual(found([...twice.slice(1), segment(3, 'toClient', data)]), [false, false]);
  const stamped = (atMs: number, sentAt: number, of: object = data) =>
    segment(atMs, 'toClient', { ...of, sentAt, echoes: 5 });
  assert.deepEqual(found([stamped(0, 10), stamped(0.02, 10), stamped(3, 13)]), [
    false,
    true,
    false,
  ]);
  // Duplicate acknowledgements are alike, except for their SACK blocks.
  const duplicateAck = (atMs: number, ...sacks: number[]) => stamped(atMs, 10, { bytes: 0, sacks });
  assert.deepEqual(
    found([duplicateAck(0, 5, 9), duplicateAck(0.02, 5, 12), duplicateAck(0.04, 5, 12)]),
    [false, false, true],
  );
  const finish = { flags: 'fin ack' };
  assert.deepEqual(found([stamped(0, 10, finish), stamped(0.02, 10, finish)]), [false, true]);
  const bare = { bytes: 0 };
  const answers = [segment(0, 'toClient', bare), segment(0.02, 'toClient', bare)];
  assert.deepEqual(found(answers), [false, false]);
  // Identifications repeat after 65,536 packets.
  const late = [segment(0, 'toClient', data), segment(1500, 'toClient', data)];
  assert.deepEqual(found(late, [7, 7]), [false, false]);
});

test('recognizes encrypted datagrams by the identification of IPv4', () => {
  const closed = (atMs: number) =>
    datagram(atMs, 'toServer', [quicPacket('short', 0, [], { closedBytes: 900 })]);
  assert.deepEqual(found([closed(0), closed(0.02)], [3, 3]), [false, true]);
  assert.deepEqual(found([closed(0), closed(0.02)], [3, 4]), [false, false]);
  assert.deepEqual(found([closed(0), closed(0.02)]), [false, false]);
});
