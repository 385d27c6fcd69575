import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkDirection, LinkEvent } from '../../../../network/agent.ts';
import { beginEvent } from '../../../../network/userspace/link/event.ts';
import { beginInterventions } from '../../../../network/userspace/link/interventions.ts';
import { MS, TestDirection, tcp, udp } from './made-link.ts';

const DELAY_MS = 15;
const PORT = 40_001;
const [SYN, ACK] = [0x02, 0x10];
const MORE = { handshake: 'one round trip more' } as const;
const LESS = { handshake: 'one round trip less' } as const;
const START = { toServer: { delayMs: DELAY_MS }, keepsConnections: false };

function madeDirection(
  intervention: typeof MORE | typeof LESS,
  settings: Partial<LinkDirection> = {},
  name: 'toServer' | 'toClient' = 'toServer',
): TestDirection {
  const direction = new TestDirection({ delayMs: DELAY_MS, ...settings }, { name, captures: true });
  for (const number of [0, 1]) direction.native.set_delay(number, DELAY_MS * MS, 0);
  beginInterventions(direction.native, { ...START, ...intervention });
  return direction;
}

/** When packets of these arrivals leave, in order of departure. */
function departures(direction: TestDirection, packet: Buffer, arrivalsMs: number[]): number[] {
  for (const atMs of arrivalsMs) direction.arrive(packet, atMs * MS);
  return direction.leaveAll().map(({ dueNs }) => dueNs / MS);
}

test('holds a new UDP flow for a round trip, and what is sent meanwhile', () => {
  const direction = madeDirection(MORE);
  const sent = departures(direction, udp(PORT, 443, 0xc0), [10, 12, 39, 40, 41, 90]);
  assert.deepEqual(sent, [55, 55, 55, 55, 56, 105]);
});

test('keeps the order of held packets, and the times at which the client sent them', () => {
  const direction = madeDirection(MORE);
  for (const first of [1, 2, 3, 4]) direction.arrive(udp(PORT, 443, first), first * 8 * MS);
  const order = direction.leaveAll().map(({ packet }) => packet[38]);
  assert.deepEqual(order, [1, 2, 3, 4]);
  const kept = direction.kept().map(({ arrivedNs, leftNs }) => [arrivedNs / MS, leftNs / MS]);
  assert.deepEqual(kept, [
    [8, 53],
    [16, 53],
    [24, 53],
    [32, 53],
  ]);
});

test('holds each UDP flow from its own first packet, and no other packet', () => {
  const direction = madeDirection(MORE);
  assert.deepEqual(departures(direction, udp(PORT, 443, 0xc0), [10]), [55]);
  assert.deepEqual(departures(direction, udp(PORT + 1, 443, 0xc0), [100]), [145]);
  assert.deepEqual(departures(direction, tcp(PORT, 443, ACK, 'data'), [200]), [215]);
  direction.arrive(udp(PORT + 2, 443, 0xc0), 300 * MS, { ofLoad: false });
  assert.deepEqual(
    direction.leaveAll().map(({ dueNs }) => dueNs / MS),
    [315],
  );
});

test('holds a SYN for a round trip, repeated or not', () => {
  const direction = madeDirection(MORE);
  assert.deepEqual(departures(direction, tcp(PORT, 443, SYN), [10, 1010]), [55, 1055]);
});

test('sends held packets through the bottleneck only afterwards', () => {
  const direction = madeDirection(MORE, { rateKbps: 80 });
  // 63 bytes at 10 bytes per ms.
  for (const atMs of [10, 12]) direction.arrive(udp(PORT, 443, 0xc0), atMs * MS);
  const other = departures(direction, tcp(PORT, 443, ACK, 'other'), [14]);
  assert.deepEqual(other, [34.9, 61.3, 67.6]);
});

test('does not hold connections that a load keeps, but new ones on the same port', () => {
  const direction = madeDirection(MORE);
  const packet = udp(PORT, 443, 0xc0);
  departures(direction, packet, [10]);
  beginInterventions(direction.native, { ...START, ...MORE, keepsConnections: true });
  assert.deepEqual(departures(direction, packet, [100]), [115]);
  beginInterventions(direction.native, { ...START, ...MORE });
  assert.deepEqual(departures(direction, packet, [200]), [245]);
});

test('does not take a flow with another port outside for a new one', () => {
  const direction = madeDirection(MORE);
  const rebind: LinkEvent = { afterMs: 100, cutMs: null, address: null };
  beginEvent(direction.native, rebind, false);
  const send = (atMs: number) => {
    const packet = udp(PORT, 443, 0xc0);
    direction.native.send_out(packet, packet.length, atMs * MS, 1);
    return departures(direction, packet, [atMs]);
  };
  assert.deepEqual([send(10), send(200)], [[55], [215]]);
});

test('holds nothing after a load with the change', () => {
  const direction = madeDirection(MORE);
  beginInterventions(direction.native, START);
  assert.deepEqual(departures(direction, udp(PORT, 443, 0xc0), [10]), [25]);
});

for (const [name, packet, other] of [
  ['toServer', tcp(PORT, 443, SYN), tcp(PORT, 443, ACK, 'data')],
  ['toClient', tcp(443, PORT, SYN | ACK), tcp(443, PORT, ACK, 'data')],
] as const) {
  test(`lets TCP's set-up cross at once and past the queue ${name}, and counts it`, () => {
    const direction = madeDirection(LESS, { jitterMs: 5, rateKbps: 8, queueBytes: 100 }, name);
    assert.equal(direction.arrive(other, 0), false);
    assert.ok(direction.arrive(packet, 0));
    const { packets, queueDrops } = direction.counts();
    assert.deepEqual([packets, queueDrops], [1, 0]);
    assert.deepEqual(
      direction.kept().map(({ arrivedNs, leftNs, fate }) => [arrivedNs, leftNs, fate]),
      [[0, 0, 'arrived']],
    );
    assert.equal(direction.leaveAll().length, 1);
  });
}

test('loses packets of a set-up as it does otherwise', () => {
  const direction = madeDirection(LESS, { lossPercent: 100 });
  assert.equal(direction.arrive(tcp(PORT, 443, SYN), 0), false);
  assert.equal(direction.counts().lost, 1);
});

test('changes nothing for QUIC with a round trip less', () => {
  const direction = madeDirection(LESS);
  assert.deepEqual(departures(direction, udp(PORT, 443, 0xc0), [10]), [25]);
});
