import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionRecord } from '../../../../ground/records/connection.ts';
import type { ClientCounts, TappedPacket } from '../../../../network/agent.ts';
import { observedConnections, quicEnds } from '../../../../network/handshakes/watch.ts';
import { assertEach } from '../../assert-each.ts';
import { clientPortOf, IP_BYTES, RECORDINGS, type Recording, recording } from './recorded.ts';

const H3 = recording('h3-full-then-early-data');
const H2 = recording('h2-full-then-resumed');

const COUNTS: ClientCounts = {
  tcp: { acknowledgements: 10, dataPackets: 20, largestWindow: 3 },
  quic: { sentPackets: 30, receivedPackets: 40 },
};

function seen({ packets, keyLog }: Recording) {
  return observedConnections({ packets, missed: 0, counts: COUNTS }, { keyLog });
}

/** Connections of a recording, without random values. */
function connectionsOf(of: Recording): Partial<ConnectionRecord>[] {
  return seen(of).opened.map(
    ({ address: _, clientPort: __, clientHelloMs: ___, serverHelloMs: ____, ...rest }) => rest,
  );
}

const FULL: Partial<ConnectionRecord> = {
  host: 'www.handshakes.test',
  transport: 'tcp',
  offered: 'full',
  tlsVersion: 'TLS 1.3',
  cipher: 'AES_128_GCM',
  handshake: 'full',
  earlyData: 'none',
};
const RESUMED: Partial<ConnectionRecord> = {
  ...FULL,
  offered: 'resumption',
  handshake: 'resumed',
};
const H3_FULL: Partial<ConnectionRecord> = { ...FULL, transport: 'quic', quicVersion: '1' };
const H3_EARLY: Partial<ConnectionRecord> = {
  ...H3_FULL,
  handshake: 'resumed',
  offered: 'early-data',
  earlyData: 'accepted',
};

test('distinguishes full, resumed and 0-RTT handshakes over QUIC and TCP, by TLS 1.3 and 1.2', () => {
  assert.deepEqual(connectionsOf(H3), [H3_FULL, H3_EARLY]);
  assert.deepEqual(connectionsOf(H2), [FULL, RESUMED]);
  const tlsVersion = 'TLS 1.2';
  assert.deepEqual(connectionsOf(recording('h2-full-then-resumed-tls-1-2')), [
    { ...FULL, tlsVersion },
    { ...RESUMED, tlsVersion },
  ]);
  for (const name of RECORDINGS) assert.equal(seen(recording(name)).whole, true, name);
});

test('takes the ends of a connection from its packets', () => {
  const [first, second] = seen(H3).opened;
  assert.match(first?.address ?? '', /^10\.89\.1\.1:\d+$/);
  assert.equal(first?.address, second?.address);
  assert.notEqual(first?.clientPort, second?.clientPort);
});

test('leaves early data unknown without a key log, or with that of another connection', () => {
  for (const keyLog of ['', 'SERVER_HANDSHAKE_TRAFFIC_SECRET 12 34\n', H2.keyLog]) {
    assert.deepEqual(connectionsOf({ ...H3, keyLog }), [
      H3_FULL,
      { ...H3_EARLY, earlyData: 'unknown' },
    ]);
  }
  const wrong = H3.keyLog.replaceAll(/ [0-9a-f]{64}$/gm, ` ${'ab'.repeat(32)}`);
  assert.equal(seen({ ...H3, keyLog: wrong }).opened[1]?.earlyData, 'unknown');
});

test('excludes early data with a server that does not accept the ticket', () => {
  const cipher = 'AES_256_GCM';
  assert.deepEqual(connectionsOf(recording('openssl-early-data-to-another-server')), [
    { ...FULL, cipher },
    { ...FULL, cipher, offered: 'early-data', earlyData: 'rejected' },
  ]);
});

test('does not take a HelloRetryRequest for a ServerHello', () => {
  const retried = recording('openssl-asked-for-another-hello');
  assert.deepEqual(connectionsOf(retried), [{ ...FULL, cipher: 'AES_256_GCM' }]);
  const answers = retried.packets.filter(({ toServer }) => !toServer);
  assert.equal(answers.length, 2);
  const partial = {
    ...retried,
    packets: retried.packets.filter((packet) => packet !== answers[1]),
  };
  assert.equal(seen(partial).opened[0]?.handshake, null);
});

test('ignores repeated packets', () => {
  for (const name of RECORDINGS) {
    const { packets, keyLog } = recording(name);
    const again = packets.flatMap((packet) => [packet, packet]);
    assert.deepEqual(seen({ packets: again, keyLog }), seen({ packets, keyLog }), name);
  }
});

test('ignores the order of packets once a connection has begun', () => {
  for (const name of RECORDINGS) {
    const { packets, keyLog } = recording(name);
    const connections = Map.groupBy(packets, clientPortOf);
    const swapped = [...connections.values()].flatMap(([first, ...rest]) => [
      first as TappedPacket,
      ...rest.filter(({ toServer }) => toServer).reverse(),
      ...rest.filter(({ toServer }) => !toServer).reverse(),
    ]);
    assert.deepEqual(seen({ packets: swapped, keyLog }), seen({ packets, keyLog }), name);
  }
});

test("leaves the server's choices unknown without its packets", () => {
  for (const { packets, keyLog } of [H3, H2]) {
    const unanswered = seen({ packets: packets.filter(({ toServer }) => toServer), keyLog });
    assert.equal(unanswered.whole, true);
    assert.deepEqual(
      unanswered.opened.map(({ handshake, tlsVersion, cipher }) => [handshake, tlsVersion, cipher]),
      [
        [null, null, null],
        [null, null, null],
      ],
    );
  }
  const { opened } = seen({ ...H3, packets: H3.packets.filter(({ toServer }) => toServer) });
  assertEach(opened, ({ earlyData }) => earlyData, ['none', 'unknown']);
});

test('calls a connection with only a SYN whole', () => {
  const { opened, whole } = seen({ ...H2, packets: H2.packets.slice(0, 1) });
  assert.deepEqual([whole, opened.length, opened[0]?.host], [true, 1, null]);
});

test('calls overflowing packets, and hellos with a missing part, incomplete', () => {
  assert.equal(observedConnections({ packets: H2.packets, missed: 1 }).whole, false);
  for (const { packets, keyLog } of [H3, H2]) {
    const hello = packets.filter(({ bytes, toServer }) => toServer && bytes.length > 60);
    const packetsLeft = packets.filter((packet) => packet !== hello[1]);
    const { opened, whole } = seen({ packets: packetsLeft, keyLog });
    assert.equal(whole, false);
    assert.deepEqual([opened.length, opened[0]?.host], [2, null]);
  }
});

test('treats a hello that the path lost towards the client as missing', () => {
  for (const name of RECORDINGS) {
    const { packets, keyLog } = recording(name);
    const answers = packets.filter(({ toServer, bytes }) => !toServer && bytes.length > 60);
    const last = answers.at(-1);
    const [port] = last ? [clientPortOf(last)] : [];
    for (const lost of answers.filter((each) => clientPortOf(each) === port)) {
      const { opened, whole } = seen({ packets: packets.filter((each) => each !== lost), keyLog });
      const { handshake } = opened.at(-1) ?? {};
      assert.ok(whole, `${name}: ${handshake}`);
    }
  }
});

test('calls a connection with truncated packets incomplete', () => {
  for (const name of RECORDINGS) {
    const { packets, keyLog } = recording(name);
    for (const kept of [0, 15, 30, 45, 70, 200]) {
      const cut = packets.map((packet) => ({ ...packet, bytes: packet.bytes.subarray(0, kept) }));
      const { opened, whole } = seen({ packets: cut, keyLog });
      assert.ok(!whole || opened.every(({ handshake }) => handshake === null), `${name} ${kept}`);
    }
  }
});

test('ignores repeated Initials of an earlier connection', () => {
  const [first, ...rest] = H3.packets.slice(0, 4);
  const later = rest.filter(({ toServer }) => toServer);
  assert.ok(first && later.length > 0);
  // From the second on they may go to an id that the server chose: the keys are still those of the
  // first.
  const strange = later.map((packet) => ({
    ...packet,
    bytes: withOtherConnectionId(packet.bytes),
  }));
  const earlier = quicEnds([first]);
  const again = { packets: strange, missed: 0 };
  assert.deepEqual(observedConnections(again, { earlier }), { opened: [], whole: true });
  assert.equal(observedConnections(again).whole, false);
  // A port may still be used again.
  assert.equal(
    observedConnections({ packets: H3.packets, missed: 0 }, { earlier }).opened.length,
    2,
  );
});

test('reads another connection on a reused port', () => {
  for (const { packets, keyLog } of [H3, H2]) {
    const of = Map.groupBy(packets, clientPortOf);
    const [port = 0] = of.keys();
    const onePort = packets.map((packet) => withClientPort(packet, port));
    const { opened, whole } = seen({ packets: onePort, keyLog });
    assert.equal(whole, true);
    assertEach(opened, ({ clientPort, handshake }) => [clientPort, handshake], [
      [port, 'full'],
      [port, 'resumed'],
    ]);
  }
});

test('never throws for any bytes', () => {
  let state = 7;
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const damaged = (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes.subarray(0, chance(4) ? bytes.length : chance(bytes.length)));
    for (let times = chance(4); times > 0 && copy.length > 0; times--) {
      // The heads contain the lengths.
      copy[chance(Math.min(copy.length, chance(2) ? 120 : 10_000))] = chance(256);
    }
    return copy;
  };
  for (let round = 0; round < 300; round++) {
    const { packets, keyLog } = recording(
      RECORDINGS[round % RECORDINGS.length] ?? 'h2-full-then-resumed',
    );
    const mutated = packets.map((packet) => ({ ...packet, bytes: damaged(packet.bytes) }));
    assert.doesNotThrow(() => seen({ packets: mutated, keyLog }), `round ${round}`);
    const noise = packets.map((packet) => ({
      ...packet,
      bytes: Buffer.from(Array.from({ length: chance(200) }, () => chance(256))),
    }));
    assert.doesNotThrow(() => seen({ packets: noise, keyLog }), `noise of round ${round}`);
  }
});

function withClientPort(packet: TappedPacket, port: number): TappedPacket {
  const bytes = Buffer.from(packet.bytes);
  bytes.writeUInt16BE(port, packet.toServer ? IP_BYTES : IP_BYTES + 2);
  return { ...packet, bytes };
}

/** Keys derive from the id, so they do not match any more. */
function withOtherConnectionId(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const idAt = IP_BYTES + 8 + 6;
  copy[idAt] = copy.readUInt8(idAt) ^ 0xff;
  return copy;
}
