import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Direction } from '../../../../packets/connections/wire-counts.ts';
import type { QuicFrame, QuicPacket } from '../../../../packets/dissection/packet.ts';
import { createQlogs } from '../../../../packets/qlog/write.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { assertEach } from '../../assert-each.ts';
import { readQlog } from './read-qlog.ts';

const ID = 'a.test.30ms.lsquic-h3.1';
const CLIENT_HELLO = {
  type: 1,
  serverName: 'a.test',
  parameters: { initial_max_data: 1000, initial_source_connection_id: '' },
};
const ENCRYPTED_EXTENSIONS = {
  type: 8,
  parameters: { ack_delay_exponent: 4, max_ack_delay: 25, disable_active_migration: true },
};

/** Fields of an event, with its time; the schema defines its data. */
type Data = Record<string, unknown> & { header?: { packet_number?: number } };

interface Sent {
  direction?: Direction;
  comment?: string;
  connection?: number;
}

/** A capture of packets at these times in ms after the first. */
class Capture {
  readonly qlogs;
  readonly folder: string;
  #n = 0;

  constructor(t: TestContext) {
    this.folder = temporaryFolder(t);
    this.qlogs = createQlogs(this.folder, ID);
  }

  async add(
    atMs: number,
    quic: Partial<QuicPacket>[],
    { direction = 'toServer', comment, connection = 0 }: Sent = {},
  ): Promise<void> {
    const [from, to] = direction === 'toServer' ? [4000, 443] : [443, 4000];
    const [sender, receiver] =
      direction === 'toServer' ? ['10.89.0.1', '10.89.1.1'] : ['10.89.1.1', '10.89.0.1'];
    await this.qlogs.take({
      packet: {
        n: ++this.#n,
        s: 1_795_000_000,
        ns: 500_000_000 + atMs * 1e6,
        bytes: 1292,
        capturedBytes: 1292,
        ...(comment !== undefined && { comments: [comment] }),
        ip: { start: 14, from: sender, to: receiver },
        udp: { from, to, stream: connection, start: 34, headBytes: 8, bytes: 1250, connection },
        quic: quic.map((packet) => ({ bytes: 1250, payloadBytes: 1230, ...packet })),
      },
      atMs: 7 + atMs,
      connection,
      direction,
      againBytes: 0,
    });
  }

  async read(name = `${ID}-a.test-1.sqlog`) {
    const names = await this.qlogs.close();
    assert.ok(names.includes(name), names.join());
    const { head, events } = await readQlog(path.join(this.folder, name));
    const dataOf = (wanted: string) =>
      events.flatMap(({ name: found, time, data }) =>
        found === wanted ? [{ time, ...data } as Data] : [],
      );
    return { head, events, dataOf, names };
  }
}

const initial = (number: number, frames: QuicFrame[] = [{ type: 1, bytes: 1 }]) => ({
  long: 1,
  longType: 0,
  version: 1,
  toId: 'c0ffee',
  toIdBytes: 3,
  number,
  frames,
});
const short = (number: number, frames: QuicFrame[]) => ({ long: 0, toIdBytes: 3, number, frames });

test('makes a qlog readable by its owner only', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }]);
  const [name = ''] = await capture.qlogs.close();
  assert.equal((await stat(path.join(capture.folder, name))).mode & 0o777, 0o600);
});

test('begins a trace with both ends, the time, and their transport parameters', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }]);
  const answer = {
    ...initial(0),
    longType: 2,
    handshake: [{ type: 2, cipher: 4865 }, ENCRYPTED_EXTENSIONS],
  };
  await capture.add(30, [answer], { direction: 'toClient' });
  const { head, dataOf } = await capture.read();
  assert.equal(head.trace.common_fields.ODCID, 'c0ffee');
  assert.equal(head.trace.common_fields.reference_time, 1_795_000_000_500);
  assert.match(head.trace.description, /estimated from packets/);
  assert.match(head.title, /^a\.test\.30ms\.lsquic-h3\.1: a\.test$/);
  assert.deepEqual(dataOf('connectivity:connection_started'), [
    {
      time: 0,
      ip_version: 'v4',
      src_ip: '10.89.0.1',
      dst_ip: '10.89.1.1',
      protocol: 'QUIC',
      src_port: 4000,
      dst_port: 443,
      dst_cid: 'c0ffee',
    },
  ]);
  assert.deepEqual(dataOf('transport:parameters_set'), [
    { time: 0, owner: 'local', ...CLIENT_HELLO.parameters },
    {
      time: 30,
      owner: 'remote',
      tls_cipher: 'TLS_AES_128_GCM_SHA256',
      ...ENCRYPTED_EXTENSIONS.parameters,
    },
  ]);
});

test('writes packets as sent or received by the client, with headers, lengths and all kinds of frames', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [
    { ...initial(0), handshake: [CLIENT_HELLO] },
    { long: 1, longType: 1, version: 1, number: 0 },
  ]);
  const frames: QuicFrame[] = [
    { type: 0, bytes: 40 },
    { type: 1, bytes: 1 },
    { type: 2, bytes: 6, largest: 9, delay: 100, ranges: [1, 0, 2] },
    { type: 4, bytes: 6, stream: 4, error: 268, most: 70 },
    { type: 5, bytes: 6, stream: 4, error: 268 },
    { type: 6, bytes: 14, offset: 3, dataBytes: 10 },
    { type: 7, bytes: 20 },
    { type: 0x0f, bytes: 16, stream: 2, offset: 5, dataBytes: 9, ends: 1 },
    { type: 0x10, bytes: 4, most: 5000 },
    { type: 0x11, bytes: 5, stream: 4, most: 400 },
    { type: 0x13, bytes: 5, most: 8 },
    { type: 0x14, bytes: 5, most: 9 },
    { type: 0x15, bytes: 5, stream: 4, most: 9 },
    { type: 0x16, bytes: 5, most: 9 },
    { type: 0x18, bytes: 30, sequence: 1, retires: 0, id: 'aabb' },
    { type: 0x19, bytes: 2, sequence: 0 },
    { type: 0x1a, bytes: 9 },
    { type: 0x1b, bytes: 9 },
    { type: 0x1e, bytes: 1 },
    { type: 0x31, bytes: 12 },
    { type: 0xaf, bytes: 8 },
  ];
  await capture.add(30, [short(7, frames)], { direction: 'toClient' });
  const { dataOf } = await capture.read();
  const [first, early] = dataOf('transport:packet_sent');
  assert.deepEqual(first?.header, {
    packet_type: 'initial',
    packet_number: 0,
    version: '1',
    dcil: 3,
    dcid: 'c0ffee',
  });
  assert.deepEqual(early?.header, { packet_type: '0RTT', packet_number: 0, version: '1' });
  assert.equal(early?.is_coalesced, true);
  const [received] = dataOf('transport:packet_received');
  assert.deepEqual(received?.raw, { length: 1250, payload_length: 1230 });
  assert.equal(received?.datagram_id, 2);
  assert.deepEqual(received?.frames, [
    { frame_type: 'padding', payload_length: 40 },
    { frame_type: 'ping' },
    // 100 times 2 to the power of 3 us, the default unit of an end.
    {
      frame_type: 'ack',
      ack_delay: 0.8,
      acked_ranges: [
        [8, 9],
        [4, 6],
      ],
    },
    { frame_type: 'reset_stream', stream_id: 4, error_code: 268, final_size: 70 },
    { frame_type: 'stop_sending', stream_id: 4, error_code: 268 },
    { frame_type: 'crypto', offset: 3, length: 10 },
    { frame_type: 'new_token', token: { raw: { length: 20 } } },
    { frame_type: 'stream', stream_id: 2, offset: 5, length: 9, fin: true },
    { frame_type: 'max_data', maximum: 5000 },
    { frame_type: 'max_stream_data', stream_id: 4, maximum: 400 },
    { frame_type: 'max_streams', stream_type: 'unidirectional', maximum: 8 },
    { frame_type: 'data_blocked', limit: 9 },
    { frame_type: 'stream_data_blocked', stream_id: 4, limit: 9 },
    { frame_type: 'streams_blocked', stream_type: 'bidirectional', limit: 9 },
    {
      frame_type: 'new_connection_id',
      sequence_number: 1,
      retire_prior_to: 0,
      connection_id_length: 2,
      connection_id: 'aabb',
    },
    { frame_type: 'retire_connection_id', sequence_number: 0 },
    { frame_type: 'path_challenge' },
    { frame_type: 'path_response' },
    { frame_type: 'handshake_done' },
    { frame_type: 'datagram', length: 12 },
    { frame_type: 'unknown', raw_frame_type: 0xaf, raw_length: 8 },
  ]);
});

test('estimates round trips and bytes in flight of the client from packets', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }]);
  await capture.add(1, [initial(1)]);
  const ack = { type: 2, bytes: 5, largest: 1, delay: 0, ranges: [1] };
  await capture.add(31, [initial(0, [ack])], { direction: 'toClient' });
  const { dataOf } = await capture.read();
  assert.deepEqual(dataOf('recovery:metrics_updated'), [
    { time: 0, bytes_in_flight: 1250, packets_in_flight: 1 },
    { time: 1, bytes_in_flight: 2500, packets_in_flight: 2 },
    {
      time: 31,
      min_rtt: 30,
      smoothed_rtt: 30,
      latest_rtt: 30,
      rtt_variance: 15,
      bytes_in_flight: 0,
      packets_in_flight: 0,
    },
  ]);
});

test('writes a loss of the path as lost if the client had sent it, and as dropped if the server had', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }], {
    comment: 'lost on the path',
  });
  const dropped = { direction: 'toClient', comment: 'dropped: the queue was full' } as const;
  await capture.add(9, [short(3, [{ type: 1, bytes: 1 }])], dropped);
  const { events, dataOf } = await capture.read();
  const names = events.map(({ name }) => name);
  assert.ok(
    names.includes('transport:packet_sent') && !names.includes('transport:packet_received'),
  );
  assertEach(dataOf('recovery:packet_lost'), ({ header }) => header?.packet_number, [0]);
  const [gone] = dataOf('transport:packet_dropped');
  assert.deepEqual(
    [gone?.details, gone?.header?.packet_number],
    ['dropped: the queue was full', 3],
  );
});

test('reads HTTP/3 frames by their headers, in order of their bytes', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }]);
  const stream = (offset: number, data: string) => {
    const dataBytes = data.length / 2;
    return { type: 8, bytes: 3 + dataBytes, stream: 0, offset, dataBytes, data };
  };
  await capture.add(1, [short(0, [stream(0, '0102aabb')])]);
  // HEADERS of 1 byte, DATA of 2 and a reserved frame of 1; the last to arrive was sent first.
  await capture.add(31, [short(0, [stream(4, '02ccdd2101ff')])], { direction: 'toClient' });
  await capture.add(32, [short(1, [stream(0, '0101aa00')])], { direction: 'toClient' });
  const { dataOf } = await capture.read();
  assert.deepEqual(dataOf('http:frame_created'), [
    { time: 1, stream_id: 0, length: 2, frame: { frame_type: 'headers', headers: [] } },
  ]);
  assert.deepEqual(dataOf('http:frame_parsed'), [
    { time: 32, stream_id: 0, length: 1, frame: { frame_type: 'headers', headers: [] } },
    { time: 32, stream_id: 0, length: 2, frame: { frame_type: 'data' } },
    { time: 32, stream_id: 0, length: 1, frame: { frame_type: 'reserved', length: 1 } },
  ]);
});

test('ends with the first close of either side', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }]);
  await capture.add(5, [short(1, [{ type: 0x1d, bytes: 4, error: 0x100, reason: 'bye' }])]);
  const answer = { type: 0x1c, bytes: 4, error: 10, reason: '', cause: 6 };
  await capture.add(9, [short(1, [answer])], { direction: 'toClient' });
  const { dataOf } = await capture.read();
  assert.deepEqual(dataOf('connectivity:connection_closed'), [
    { time: 5, owner: 'local', application_code: 0x100, reason: 'bye', trigger: 'clean' },
  ]);
});

test('writes a file for each connection, safely named by its host', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [{ type: 1, serverName: '../a' }] }]);
  await capture.add(3, [initial(0)], { connection: 4 });
  await capture.add(4, [initial(1)]);
  const { names } = await capture.read(`${ID}-.._a-1.sqlog`);
  assert.deepEqual(names, [`${ID}-.._a-1.sqlog`, `${ID}-unknown-2.sqlog`]);
  assert.deepEqual((await readdir(capture.folder)).sort(), names);
  const { events } = await readQlog(path.join(capture.folder, `${ID}-unknown-2.sqlog`));
  assert.equal(events[0]?.time, 0, 'each counts from its own first packet');
});

test('leaves nothing of discarded qlogs', async (t) => {
  const capture = new Capture(t);
  await capture.add(0, [{ ...initial(0), handshake: [CLIENT_HELLO] }]);
  await capture.qlogs.discard();
  assert.deepEqual(await readdir(capture.folder), []);
});
