import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PacketContents } from '../../../wire/frames.ts';
import type { WireConnection, WireDatagram } from '../../../wire/wire-connection.ts';
import { wireSamples } from '../../../wire/wire-samples.ts';

const RTT_MS = 40;
const BYTES = 1000;
const LIMITS = { connectionBytes: 1_000_000, streamBytes: 1_000_000, streams: 1 };

function datagram(atMs: number, toServer: boolean, contents: Partial<PacketContents> = {}) {
  const none = { acknowledged: [], streams: [], connectionLimit: null, streamLimits: [] };
  const number = numbers++;
  return {
    atMs,
    toServer,
    isLost: false,
    bytes: BYTES,
    packet: { number, contents: { isAckEliciting: !toServer, ...none, ...contents } },
  } satisfies WireDatagram;
}
let numbers = 0;

/** A download whose server sends flights of these numbers of packets, each acknowledged as it arrives. */
function flights(packets: readonly number[], isDone = true): WireConnection {
  let end = 0;
  numbers = 0;
  const datagrams = packets.flatMap((count, flight) => {
    const atMs = 100 + flight * RTT_MS;
    const sent = Array.from({ length: count }, (_, index) => {
      end += BYTES;
      const ends = isDone && flight === packets.length - 1 && index === count - 1;
      return datagram(atMs, false, { streams: [{ stream: 0, end, ends }] });
    });
    const [first, last] = [sent[0], sent.at(-1)].map((each) => each?.packet.number ?? 0);
    return [...sent, datagram(atMs, true, { acknowledged: [[first ?? 0, last ?? 0]] })];
  });
  return {
    clientParameters: null,
    serverParameters: null,
    firstRoundTripMs: RTT_MS,
    hasKeys: true,
    datagrams,
  };
}

const withoutKeys = (connection: WireConnection): WireConnection => ({
  ...connection,
  hasKeys: false,
  datagrams: connection.datagrams.map((each) => ({ ...each, packet: null })),
});

test('has bytes in flight from when they left the sender until their acknowledgement arrived', () => {
  const samples = wireSamples(flights([10, 20, 40]), 'server', LIMITS) ?? [];
  const at = (atMs: number) => samples.find((each) => each.atMs >= atMs)?.inFlightBytes;
  // Captured at 100, 140 and 180 ms at the client's end.
  assert.deepEqual(
    [at(85), at(115), at(125), at(155), at(165)],
    [10_000, 10_000, 20_000, 20_000, 40_000],
  );
  assert.ok(samples.every(({ cwndBytes, minRttMs }) => cwndBytes === null && minRttMs === RTT_MS));
});

test('takes an upload at the time of the capture, which its sender has', () => {
  const { datagrams, ...connection } = flights([10, 20]);
  const turned = datagrams.map((each) => ({ ...each, toServer: !each.toServer }));
  const samples = wireSamples({ ...connection, datagrams: turned }, 'client', LIMITS) ?? [];
  assert.equal(samples.find(({ atMs }) => atMs >= 130)?.inFlightBytes, 0);
});

test('finds the window that stops the sender, with keys and without', () => {
  const steady = flights([60, 60, 60, 60, 60], false);
  const windows = { ...LIMITS, connectionBytes: 60_000 };
  const fullOf = (connection: WireConnection, limits: typeof windows) =>
    new Set((wireSamples(connection, 'server', limits) ?? []).map(({ fullWindow }) => fullWindow));
  assert.deepEqual(fullOf(steady, windows), new Set(['receive window']));
  assert.deepEqual(fullOf(withoutKeys(steady), windows), new Set([null, 'receive window']));
  const turned = { ...LIMITS, streamBytes: 30_000, streams: 2 };
  assert.deepEqual(fullOf(withoutKeys(steady), turned), new Set([null, 'stream window']));
  const raised = { ...LIMITS, streamBytes: 30_000 };
  assert.deepEqual(fullOf(withoutKeys(steady), raised), new Set([null]), 'more was sent');
  assert.deepEqual(fullOf(withoutKeys(steady), LIMITS), new Set([null]), 'far below the windows');
});

test('does not take slow start for a full window where keys are missing', () => {
  const growing = withoutKeys(flights([10, 20, 40, 80, 160]));
  const windows = { ...LIMITS, connectionBytes: 330_000 };
  const samples = wireSamples(growing, 'server', windows) ?? [];
  assert.deepEqual(new Set(samples.map(({ fullWindow }) => fullWindow)), new Set([null]));
});

test('has no samples without the beginning of a connection', () => {
  const connection = { ...withoutKeys(flights([10])), firstRoundTripMs: null };
  assert.equal(wireSamples(connection, 'server', LIMITS), null);
});
