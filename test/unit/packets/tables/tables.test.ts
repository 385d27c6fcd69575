import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYER_NAMES } from '../../../../ground/records/packets.ts';
import {
  CONNECTION_COLUMNS,
  connectionRow,
  PACKET_COLUMNS,
  packetRow,
} from '../../../../packets/tables/files.ts';
import {
  ack,
  crypto,
  datagram,
  opened,
  quicPacket,
  readQuic,
  readTcp,
  segment,
  streamFrame,
  sumOf,
  type TimedPacket,
} from '../made-packets.ts';

const placed = ({ packet, atMs }: TimedPacket, againBytes = 0) => ({
  packet,
  atMs,
  connection: 1,
  direction: 'toServer' as const,
  againBytes,
});

function cells(columns: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  assert.equal(row.length, columns.length);
  return Object.fromEntries(
    columns.map((column, place) => [column, row[place]]).filter(([, cell]) => cell !== null),
  );
}

test('a row of packets.csv describes the contents of a datagram', () => {
  const made = datagram(1.5, 'toServer', [
    quicPacket('handshake', 3, [ack(1), crypto(0, 36)], { handshake: [{ type: 20 }] }),
    quicPacket('short', 0, [streamFrame(0, 0, Buffer.alloc(80))]),
  ]);
  assert.deepEqual(cells(PACKET_COLUMNS, packetRow(placed(made, 36), 'load')), {
    load: 'load',
    connection: 2,
    n: 1,
    time_ms: 1.5,
    direction: 'to-server',
    bytes: made.packet.bytes,
    protocol: 'quic',
    packet_type: 'Handshake 1-RTT',
    packet_number: '3 0',
    frames: 'ACK CRYPTO STREAM',
    tls_message: 'Finished',
    stream_bytes: 116,
    retransmission: 36,
  });
});

test('a row of packets.csv describes a segment, and that it was lost', () => {
  const made = segment(0, 'toServer', {
    flags: 'ack push',
    bytes: 100,
    records: [opened(78, { handshake: [{ type: 1 }, { type: 99 }] })],
    comments: ['lost on the path'],
  });
  const row = cells(PACKET_COLUMNS, packetRow(placed(made), 'load'));
  assert.deepEqual(
    [row.protocol, row.flags, row.tls_message, row.stream_bytes, row.lost, row.retransmission],
    ['tcp', 'PUSH ACK', 'ClientHello message 99', 100, 'lost', undefined],
  );
});

test('has a row for a packet without a connection', () => {
  const { packet } = segment(0, 'toServer');
  const { tcp, ...other } = packet;
  const row = packetRow(
    { packet: other, atMs: 3, connection: null, direction: null, againBytes: 0 },
    'load',
  );
  assert.deepEqual(cells(PACKET_COLUMNS, row), {
    load: 'load',
    n: 1,
    time_ms: 3,
    bytes: packet.bytes,
    protocol: 'other',
    stream_bytes: 0,
  });
});

test('has the layers in a row of wire-connections.csv, whose sum is all bytes', () => {
  const read = readQuic([
    datagram(0, 'toServer', [quicPacket('initial', 0, [crypto(0, 300)])]),
    datagram(30, 'toClient', [
      quicPacket('initial', 0, [ack(0), crypto(0, 90), { type: 0x1c, bytes: 4, error: 2 }]),
    ]),
    datagram(30, 'toServer', [quicPacket('initial', 1, [ack(0)])]),
  ]);
  const row = cells(CONNECTION_COLUMNS, connectionRow(read, 'load', 4));
  assert.deepEqual(
    [row.load, row.connection, row.transport, row.rtt_min_ms, row.closes],
    ['load', 4, 'quic', 30, 'server: CONNECTION_REFUSED'],
  );
  const layers = ['before_request', 'after_request'].flatMap((phase) =>
    LAYER_NAMES.map((layer) => Number(row[`${phase}_${layer}_bytes`])),
  );
  assert.equal(sumOf(layers), Number(row.to_server_bytes) + Number(row.to_client_bytes));
});

test('has as many columns for every connection as the table', () => {
  for (const read of [readTcp([]), readQuic([])])
    assert.equal(connectionRow(read, 'load', 1).length, CONNECTION_COLUMNS.length);
  assert.equal(new Set(CONNECTION_COLUMNS).size, CONNECTION_COLUMNS.length);
});
