import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CapturedPacket } from '../../../wire/captured-packets.ts';
import { readWireConnections } from '../../../wire/wire-connection.ts';

/** A download of 10 kB from lsquic at a round trip of 100 ms, as a path captured it. */
const RECORDED = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'recorded', 'lsquic.json'), 'utf8'),
) as { keyLog: string; packets: { afterNs: number; toServer: boolean; bytes: string }[] };

async function* packets(): AsyncGenerator<CapturedPacket> {
  for (const { afterNs, toServer, bytes } of RECORDED.packets) {
    const timeNs = BigInt(1e9 + afterNs);
    yield { timeNs, toServer, isLost: false, bytes: Buffer.from(bytes, 'base64') };
  }
}

async function connectionWith(keyLog: string) {
  const [connection, ...others] = await readWireConnections(packets(), keyLog, 1000);
  assert.ok(connection);
  assert.equal(others.length, 0);
  return connection;
}

test('reads the packets of a connection with its keys', async () => {
  const { clientParameters, serverParameters, firstRoundTripMs, hasKeys, datagrams } =
    await connectionWith(RECORDED.keyLog);
  assert.equal(hasKeys, true);
  assert.equal(clientParameters?.initial_max_data, 16_000_000);
  assert.ok((serverParameters?.initial_max_data ?? 0) > 0);
  assert.ok((firstRoundTripMs ?? 0) >= 100 && (firstRoundTripMs ?? 0) < 110);
  assert.equal(datagrams.length, RECORDED.packets.length);
  const ends = datagrams.flatMap(({ toServer, packet }) =>
    toServer ? [] : (packet?.contents.streams ?? []).filter(({ stream }) => stream === 0),
  );
  // With the heads of HTTP/3.
  assert.ok(Math.max(...ends.map(({ end }) => end)) > 10_000);
  assert.ok(ends.some((each) => each.ends));
  const acknowledgements = datagrams.filter(
    ({ toServer, packet }) => toServer && (packet?.contents.acknowledged.length ?? 0) > 0,
  );
  assert.ok(acknowledgements.length > 0);
});

test('reads sizes and times without keys, and what the client offers', async () => {
  const { clientParameters, serverParameters, hasKeys, datagrams } = await connectionWith('');
  assert.equal(hasKeys, false);
  assert.equal(clientParameters?.initial_max_stream_data_bidi_local, 16_000_000);
  assert.equal(serverParameters, null);
  assert.ok(datagrams.every(({ packet, bytes }) => packet === null && bytes > 0));
  assert.equal(datagrams[0]?.atMs, 0);
});

test('ignores packets of a connection whose beginning is missing', async () => {
  async function* later() {
    let skipped = 0;
    for await (const packet of packets()) if (skipped++ > 3) yield packet;
  }
  assert.deepEqual(await readWireConnections(later(), RECORDED.keyLog, 0), []);
});
