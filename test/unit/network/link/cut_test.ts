import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginEvent, eventCountsOf } from '../../../../network/userspace/link/event.ts';
import { MS, TestDirection, udp } from './made-link.ts';

const PORT = 40_001;
const CUT = { afterMs: 500, cutMs: 1000, address: null };
const DELAY_MS = 30;
const TO_SERVER = udp(PORT, 443, 0xc0);
const TO_CLIENT = udp(443, PORT, 0x40);

/** A direction of a link whose load sent its first packet at 100 ms. */
function madeCut(name: 'toServer' | 'toClient', delayMs = DELAY_MS, event = CUT): TestDirection {
  const direction = new TestDirection({ delayMs }, { name, captures: true });
  beginEvent(direction.native, event, false);
  direction.native.send_out(TO_SERVER, TO_SERVER.length, 100 * MS, 1);
  return direction;
}

test('loses exactly what the client sends while the path is cut', () => {
  const direction = madeCut('toServer');
  for (const atMs of [599.9, 600, 1000, 1599.9, 1600]) direction.arrive(TO_SERVER, atMs * MS);
  assert.deepEqual(
    direction.leaveAll().map(({ dueNs }) => dueNs / MS),
    [629.9, 1630],
  );
  const { packets, cut, lost } = direction.counts();
  assert.deepEqual([packets, cut, lost], [2, 3, 0]);
  assert.deepEqual(
    direction.kept().map(({ fate, arrivedNs }) => [fate, arrivedNs / MS]),
    [
      ['cut', 600],
      ['cut', 1000],
      ['cut', 1599.9],
      ['arrived', 599.9],
      ['arrived', 1600],
    ],
  );
});

test('loses what reaches the client while the path is cut, including packets in flight before', () => {
  const direction = madeCut('toClient');
  for (const atMs of [569.9, 570, 1569.9, 1570]) direction.arrive(TO_CLIENT, atMs * MS);
  direction.leaveAll();
  const { packets, cut, lost } = direction.counts();
  assert.deepEqual([packets, cut, lost], [2, 2, 0]);
  assert.deepEqual(
    direction.kept().map(({ fate }) => fate),
    ['arrived', 'cut', 'cut', 'arrived'],
  );
});

test('does the same without delay', () => {
  for (const name of ['toServer', 'toClient'] as const) {
    const direction = madeCut(name, 0);
    const packet = name === 'toServer' ? TO_SERVER : TO_CLIENT;
    for (const atMs of [599, 600, 1599, 1600]) direction.arrive(packet, atMs * MS);
    const { packets, cut } = direction.counts();
    assert.deepEqual([packets, cut], [2, 2], name);
  }
});

test('loses packets of earlier loads too, without counting them', () => {
  const direction = madeCut('toServer');
  assert.equal(direction.arrive(TO_SERVER, 700 * MS, { ofLoad: false }), false);
  assert.equal(direction.nextDueNs(), null);
  assert.equal(direction.counts().cut, 0);
});

test('changes no connection by a cut, and reports those begun after it', () => {
  const { native } = madeCut('toServer');
  const later = udp(PORT + 1, 443, 0xc0);
  const before = [Buffer.from(TO_SERVER), Buffer.from(later)];
  for (const packet of [TO_SERVER, later]) native.send_out(packet, packet.length, 700 * MS, 1);
  assert.deepEqual([TO_SERVER, later], before);
  assert.deepEqual(eventCountsOf(native, 700 * MS), {
    firstPacketMs: 100,
    happenedAtMs: 500,
    changedConnections: 0,
    laterConnections: 1,
    forgottenPackets: 0,
  });
});

test('does not cut the next load', () => {
  const direction = madeCut('toServer');
  beginEvent(direction.native, undefined, false);
  direction.arrive(TO_SERVER, 700 * MS);
  assert.equal(direction.counts().cut, 0);
});

test('loses the first packet too by a cut at once', () => {
  const direction = madeCut('toServer', DELAY_MS, { ...CUT, afterMs: 0 });
  direction.arrive(TO_SERVER, 100 * MS);
  assert.equal(direction.counts().cut, 1);
});
