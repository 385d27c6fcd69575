import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCounts } from '../../../../network/agent.ts';
import { addCounts, clientTransports } from '../../../../network/handshakes/client-transports.ts';
import { readConnection } from '../../../../network/handshakes/connection-record.ts';
import { readPacket, type TcpHead } from '../../../../network/handshakes/packet.ts';
import { beginTcpHandshake } from '../../../../network/handshakes/tcp-handshake.ts';
import { observedConnections } from '../../../../network/handshakes/watch.ts';
import { recording } from './recorded.ts';

const OF_TCP = { acknowledgements: 700, dataPackets: 1400, largestWindow: 19_200 };
const OF_QUIC = { sentPackets: 200, receivedPackets: 1400 };
const NO_TCP = { acknowledgements: 0, dataPackets: 0, largestWindow: 0 };
const NO_QUIC = { sentPackets: 0, receivedPackets: 0 };

const clientOf = (name: string, counts: ClientCounts) =>
  observedConnections({ ...recording(name), missed: 0, counts }).client;

test('reads what Chromium and Firefox offer over QUIC', () => {
  const counts = { tcp: NO_TCP, quic: OF_QUIC };
  assert.deepEqual(clientOf('h3-full-then-early-data', counts), {
    quic: {
      hello: { bytes: 1953, packets: 2, firstPacketBytes: 1250 },
      transportParameters: {
        initial_max_data: 15_728_640,
        initial_max_stream_data_bidi_local: 6_291_456,
        initial_max_stream_data_bidi_remote: 6_291_456,
        initial_max_stream_data_uni: 6_291_456,
        max_idle_timeout: 30_000,
        max_udp_payload_size: 1472,
      },
      ...OF_QUIC,
    },
  });
  assert.deepEqual(clientOf('firefox-h3', counts), {
    quic: {
      hello: { bytes: 1894, packets: 2, firstPacketBytes: 1252 },
      transportParameters: {
        active_connection_id_limit: 8,
        initial_max_data: 25_165_824,
        initial_max_stream_data_bidi_local: 12_582_912,
        initial_max_stream_data_bidi_remote: 1_048_576,
        initial_max_stream_data_uni: 1_048_576,
        max_ack_delay: 20,
        max_idle_timeout: 30_000,
        min_ack_delay: 1000,
      },
      ...OF_QUIC,
    },
  });
});

test('reads what they offer over TCP, and scales the largest window', () => {
  for (const [name, bytes] of [
    ['h2-full-then-resumed', 2018],
    ['firefox-h2', 1897],
  ] as const) {
    const { largestWindow: _, ...acknowledged } = OF_TCP;
    assert.deepEqual(clientOf(name, { tcp: OF_TCP, quic: NO_QUIC }), {
      tcp: {
        hello: { bytes, packets: 2, firstPacketBytes: 1448 },
        syn: {
          windowBytes: 64_240,
          windowScale: 10,
          mssBytes: 1460,
          sack: true,
          timestamps: true,
        },
        largestWindowBytes: 19_200 * 1024,
        ...acknowledged,
      },
    });
  }
});

test('leaves the window of a connection from before unknown, and a missed one', () => {
  const before = clientTransports([], { tcp: OF_TCP, quic: NO_QUIC });
  assert.deepEqual([before.tcp?.largestWindowBytes, before.tcp?.syn], [null, undefined]);
  const missed = { ...OF_TCP, largestWindow: null };
  const added = addCounts({ tcp: OF_TCP, quic: OF_QUIC }, { tcp: missed, quic: OF_QUIC });
  assert.equal(clientOf('firefox-h2', added ?? assert.fail())?.tcp?.largestWindowBytes, null);
  assert.equal(added?.tcp.acknowledgements, 1400);
});

test('reads the options of a SYN up to a damaged one', () => {
  const [first] = recording('firefox-h2').packets.map(readPacket);
  assert.ok(first?.tcp);
  const synOf = (head: TcpHead, options: string) => {
    const tcp = { ...head, options: Buffer.from(options, 'hex') };
    const handshake = beginTcpHandshake({ ...first, tcp }) ?? assert.fail();
    const connections = [readConnection(handshake, new Map())];
    return clientTransports(connections, { tcp: NO_TCP, quic: NO_QUIC }).tcp?.syn;
  };
  const none = { windowBytes: 64_240, windowScale: null, mssBytes: null };
  const without = { ...none, sack: false, timestamps: false };
  for (const options of ['', '0101', '02', '0200', '0204', '020305', '0004020402', '02ff05b4']) {
    assert.deepEqual(synOf(first.tcp, options), without, options);
  }
  const cut = synOf(first.tcp, '020405b401030314040208');
  assert.deepEqual(cut, { ...without, mssBytes: 1460, windowScale: 14, sack: true });
});
