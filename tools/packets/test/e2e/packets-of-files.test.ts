import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  type CaptureRecord,
  LAYER_NAMES,
  type LayerBytes,
  type WireConnection,
} from '../../../../ground/records/packets.ts';
import { ExitError } from '../../../../ground/system/exit-status.ts';
import {
  type CapturedPacket,
  readCapture,
} from '../../../../packets/connections/capture-reader.ts';
import { quicPacketName } from '../../../../packets/dissection/names.ts';
import {
  type Frame,
  fragmentsOf,
  LINKS,
  linked,
  pcap,
  pcapng,
  tcpFrames,
  tlsTalk,
  udpPacket,
  type WrittenPacket,
} from '../../../../test/e2e/made-capture.ts';
import { choicesOf } from '../../../../test/long/fuzz-importers/random.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

const CAPTURES = path.join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'test',
  'fixtures',
  'captures',
);

/**
 * Captures are composed here, independent of the dissector: their contents are known to the byte.
 */
const BODY_BYTES = 20_000;
const POSTED = 'x=1&y=2';

type Talk = { written: WrittenPacket[]; keyLog: string };
let talks: Record<'TLSv1.2' | 'TLSv1.3', Talk>;

before(async () => {
  const of = (version: 'TLSv1.2' | 'TLSv1.3') =>
    tlsTalk(version, async (client, server) => {
      client.resume();
      const answered = async (request: string, ...parts: (string | Buffer)[]) => {
        client.write(request);
        await once(server, 'data');
        for (const part of parts) server.write(part);
        await new Promise((resolve) => setTimeout(resolve, 20));
      };
      await answered(
        'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
        `HTTP/1.1 200 OK\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`,
      );
      await answered(
        'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n',
        `HTTP/1.1 200 OK\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`,
        Buffer.alloc(BODY_BYTES, 'x'),
        'HTTP/1.1 304 Not Modified\r\nContent-Length: 700\r\n\r\n',
      );
      await answered(
        `POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: ${POSTED.length}\r\n\r\n${POSTED}`,
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n',
      );
    });
  talks = { 'TLSv1.2': await of('TLSv1.2'), 'TLSv1.3': await of('TLSv1.3') };
});

interface Read extends CaptureRecord {
  rows: CapturedPacket[];
}

/** Reads a file with this content. */
function readOf(content: Buffer, keyLog?: string | Buffer): Promise<Read> {
  return withTemporaryFolder(async (folder) => {
    const [file, keyLogFile] = ['capture', 'keys'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    await writeFile(file, content);
    if (keyLog !== undefined) await writeFile(keyLogFile, keyLog);
    const rows: CapturedPacket[] = [];
    const options = keyLog === undefined ? {} : { keyLogFile };
    const record = await readCapture(file, options, (row) => void rows.push(row));
    return { ...record, rows };
  });
}

function only({ connections }: CaptureRecord): WireConnection {
  assert.equal(connections.length, 1);
  return connections[0] as WireConnection;
}

/** All layers are known, and their sum is the frames. */
function assertWhole(record: CaptureRecord): void {
  for (const { toServer, toClient, beforeRequest, afterRequest } of record.connections) {
    const layers = LAYER_NAMES.flatMap((layer) => [beforeRequest[layer], afterRequest[layer]]);
    assert.ok(layers.every((bytes) => bytes >= 0));
    assert.equal(
      layers.reduce((sum, bytes) => sum + bytes),
      toServer.bytes + toClient.bytes,
    );
  }
}

/** Results of a connection, independent of what precedes its segments. */
function gist(record: CaptureRecord): unknown {
  const { beforeRequest, afterRequest, toServer, toClient, client, server, ...rest } = only(record);
  const layersOf = (bytes: LayerBytes) => ({ ...bytes, ethernet: 0, ip: 0, acknowledgements: 0 });
  return {
    ...rest,
    before: layersOf(beforeRequest),
    after: layersOf(afterRequest),
    packets: [toServer.packets, toServer.ackPackets, toClient.packets, toClient.ackPackets],
  };
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`counts the contents of ${version} to the byte`, async () => {
    const { written, keyLog } = talks[version];
    const record = await readOf(pcap(tcpFrames(written)), keyLog);
    assertWhole(record);
    const { opened, requests, toServer, toClient, closes, ...read } = only(record);
    assert.deepEqual([opened, requests, read.protocol], ['all', 4, 'http/1.1']);
    assert.deepEqual(
      [toServer.payloadBytes, toClient.payloadBytes],
      [POSTED.length, BODY_BYTES + 'helloyou'.length],
    );
    assert.equal(read.beforeRequest.unread + read.afterRequest.unread, 0);
    assert.deepEqual(
      closes.map(({ name, isError }) => [name, isError]),
      Array(closes.length).fill(['close_notify', false]),
    );
  });

  test(`counts packets, headers and round trips of ${version} without keys, with the rest unread`, async () => {
    const { written, keyLog } = talks[version];
    const frames = tcpFrames(written);
    const [closed, open] = await Promise.all([readOf(pcap(frames)), readOf(pcap(frames), keyLog)]);
    assertWhole(closed);
    const { opened, requests, beforeRequest, toClient, ...read } = only(closed);
    assert.deepEqual([opened, requests, toClient.payloadBytes], ['none', 0, 0]);
    assert.deepEqual([beforeRequest.http, read.afterRequest.http], [0, 0]);
    assert.ok(beforeRequest.unread > BODY_BYTES);
    assert.deepEqual(read.roundTripMs, only(open).roundTripMs);
    assert.deepEqual([read.tlsVersion, read.host], [version.replace('v', ' '), 'www.example.org']);
  });
}

test('reads the same from files of all formats', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const frames = tcpFrames(written);
  const expected = gist(await readOf(pcap(frames), keyLog));
  assert.deepEqual(gist(await readOf(pcap(frames, { unit: 'us' }), keyLog)), expected);
  assert.deepEqual(gist(await readOf(gzipSync(pcap(frames)), keyLog)), expected);
  assert.deepEqual(gist(await readOf(pcapng(frames, { keyLog }))), expected);
  assert.deepEqual(gist(await readOf(gzipSync(pcapng(frames, { keyLog })))), expected);
});

for (const link of Object.keys(LINKS)) {
  test(`reads the same from captures of ${link}, by IPv4 and IPv6`, async () => {
    const { written, keyLog } = talks['TLSv1.3'];
    const expected = gist(await readOf(pcap(tcpFrames(written)), keyLog));
    for (const isIpv6 of [false, true]) {
      const record = await readOf(pcap(tcpFrames(written, { link, isIpv6 }), { link }), keyLog);
      assertWhole(record);
      assert.deepEqual(gist(record), expected);
      const { beforeRequest, afterRequest, toServer, toClient } = only(record);
      const sum = (layer: keyof LayerBytes) => beforeRequest[layer] + afterRequest[layer];
      const headBytes = [LINKS[link]?.head(isIpv6).length ?? 0, isIpv6 ? 40 : 20];
      const acks = toServer.ackPackets + toClient.ackPackets;
      const otherPackets = toServer.packets + toClient.packets - acks;
      assert.deepEqual(
        [sum('ethernet'), sum('ip'), sum('acknowledgements')],
        [
          ...headBytes.map((bytes) => bytes * otherPackets),
          acks * ((headBytes[0] ?? 0) + (headBytes[1] ?? 0) + 20),
        ],
      );
    }
  });
}

test('accepts keys behind the packets too, and with a byte order mark', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const frames = tcpFrames(written);
  const expected = gist(await readOf(pcap(frames), keyLog));
  const late = pcapng(frames, { lateKeyLog: keyLog });
  assert.deepEqual(gist(await readOf(late)), expected);
  assert.deepEqual(gist(await readOf(gzipSync(late))), expected);
  // One half before, one behind; or in a file.
  const lines = keyLog.trim().split('\n');
  const [first, rest] = [lines.slice(0, 2), lines.slice(2)].map((half) => `${half.join('\n')}\n`);
  assert.deepEqual(
    gist(await readOf(pcapng(frames, { keyLog: first, lateKeyLog: rest }))),
    expected,
  );
  assert.deepEqual(gist(await readOf(pcapng(frames, { lateKeyLog: rest }), first)), expected);
  const utf16 = Buffer.from(`\ufeff${keyLog}`, 'utf16le');
  for (const marked of [`\ufeff${keyLog}`, utf16, Buffer.from(utf16).swap16()])
    assert.deepEqual(gist(await readOf(pcap(frames), marked)), expected);
});

test('counts packets that were captured twice once', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const frames = tcpFrames(written).map(({ atMs, bytes }, index) => {
    // The identification, which a packet keeps along its path.
    bytes.writeUInt16BE(index + 1, 18);
    return { atMs, bytes };
  });
  const once = await readOf(pcap(frames), keyLog);
  const forwarded = (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    copy[22] = 63;
    return copy;
  };
  const twice = frames.flatMap((frame) => [
    frame,
    { atMs: frame.atMs + 0.02, bytes: forwarded(frame.bytes) },
  ]);
  const record = await readOf(pcap(twice), keyLog);
  assertWhole(record);
  assert.deepEqual(gist(record), gist(once));
  assert.equal(record.repeatedPackets, frames.length);
  assert.equal(once.repeatedPackets, undefined);
  // At both ends.
  const later = frames.map(({ atMs, bytes }) => ({ atMs: atMs + 0.4, bytes }));
  const both = [...frames, ...later].sort((a, b) => a.atMs - b.atMs);
  assert.deepEqual(gist(await readOf(pcap(both), keyLog)), gist(once));
  const quic = await readCapture(path.join(CAPTURES, 'each-packet-twice.pcap'), {
    keyLogFile: path.join(CAPTURES, 'each-packet-twice.keys'),
  });
  assert.deepEqual([quic.packets, quic.repeatedPackets], [44, 43]);
  assert.equal(only(quic).toClient.retransmittedBytes + only(quic).toServer.retransmittedBytes, 0);
});

test('finds in QUIC version 2 the packets of version 1', async () => {
  const rows: CapturedPacket[] = [];
  const file = path.join(CAPTURES, 'quic-v2.pcapng');
  const record = await readCapture(file, {}, (row) => void rows.push(row));
  const { toServer, toClient, handshakePackets } = only(record);
  assert.equal(toServer.retransmittedBytes + toClient.retransmittedBytes, 0);
  assert.equal(handshakePackets?.firstMs.toFixed(1), '20.3');
  assert.deepEqual(
    rows.map(({ packet }) => packet.quic?.map(quicPacketName).join(' ')),
    [
      'Initial',
      'Initial Handshake',
      'Initial Handshake 1-RTT',
      '1-RTT',
      'Handshake 1-RTT',
      '1-RTT',
      '1-RTT',
    ],
  );
});

test('reads a file up to a truncated packet, and reports it', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const frames = tcpFrames(written);
  const record = await readOf(pcap(frames).subarray(0, -9), keyLog);
  assert.equal(record.packets, frames.length - 1);
  assert.match(record.complaints.join(), /cut short/);
  assertWhole(record);
});

test('counts the missing part of truncated packets as unread', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const frames = tcpFrames(written);
  const record = await readOf(pcap(frames, { snapBytes: 96 }), keyLog);
  assertWhole(record);
  assert.equal(record.cutPackets, frames.filter(({ bytes }) => bytes.length > 96).length);
  const { beforeRequest, afterRequest } = only(record);
  assert.ok(beforeRequest.unread + afterRequest.unread > BODY_BYTES);
  assert.equal(beforeRequest.padding + afterRequest.padding, 0);
});

test('assigns fragments to no connection', async () => {
  for (const isIpv6 of [false, true]) {
    const whole = udpPacket('client', Buffer.alloc(3000, 1), isIpv6);
    const pieces = [
      udpPacket('client', Buffer.alloc(9), isIpv6),
      ...fragmentsOf(whole, 1400, isIpv6),
    ];
    const frames = pieces.map((packet, atMs) => ({
      atMs,
      bytes: linked(packet, 'Ethernet', isIpv6),
    }));
    const record = await readOf(pcap(frames));
    assertWhole(record);
    assert.deepEqual([record.packets, record.otherPackets], [pieces.length, pieces.length - 1]);
    assert.equal(only(record).transport, 'udp');
  }
});

test('continues sequence numbers after 2^32', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const expected = gist(await readOf(pcap(tcpFrames(written)), keyLog));
  const first = { client: 2 ** 32 - 300, server: 2 ** 32 - 5000 };
  assert.deepEqual(gist(await readOf(pcap(tcpFrames(written, { first })), keyLog)), expected);
});

test('takes a reused port for another connection', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const again = talks['TLSv1.2'];
  const frames: Frame[] = [
    ...tcpFrames(written),
    ...tcpFrames(again.written, { first: { client: 900_000, server: 800_000 }, beginMs: 5000 }),
  ];
  const { connections } = await readOf(pcap(frames), keyLog + again.keyLog);
  assert.deepEqual(
    connections.map(({ tlsVersion, requests, beganMs }) => [tlsVersion, requests, beganMs]),
    [
      ['TLS 1.3', 4, 0],
      ['TLS 1.2', 4, 5000],
    ],
  );
});

test('recognises the client by port in a capture that begins with the server', async () => {
  const { written } = talks['TLSv1.3'];
  const frames = tcpFrames(written);
  const later = frames.slice(frames.findIndex(({ bytes }) => bytes.length > 1400));
  const tcp = only(await readOf(pcap(later)));
  assert.deepEqual([tcp.client, tcp.server], ['192.0.2.1:50000', '192.0.2.2:443']);
  assert.ok(tcp.toClient.bytes > BODY_BYTES);
  const packets = (['server', 'client'] as const).map((from, atMs) => ({
    atMs,
    bytes: linked(udpPacket(from, Buffer.alloc(40))),
  }));
  assert.equal(only(await readOf(pcap(packets))).client, '192.0.2.1:50000');
});

test('counts segments that come late, twice or never as they are', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const frames = tcpFrames(written);
  const big = frames.flatMap(({ bytes }, index) => (bytes.length === 1454 ? [index] : []));
  const [first = 0, second = 0] = big.slice(-4);
  const swapped = frames.with(first, frames[second] as Frame).with(second, frames[first] as Frame);
  const late = only(
    await readOf(pcap(swapped.map(({ bytes }, atMs) => ({ atMs, bytes }))), keyLog),
  );
  assert.equal(late.toClient.retransmittedBytes, 0);
  assert.equal(late.toClient.payloadBytes, BODY_BYTES + 8);

  const twice = frames.toSpliced(second + 1, 0, frames[first] as Frame);
  const record = await readOf(pcap(twice.map(({ bytes }, atMs) => ({ atMs, bytes }))), keyLog);
  assertWhole(record);
  const { retransmittedBytes, retransmittedPackets, payloadBytes } = only(record).toClient;
  assert.deepEqual([retransmittedBytes, retransmittedPackets], [1400, 1]);
  assert.equal(payloadBytes, BODY_BYTES + 8);

  const never = await readOf(pcap(frames.toSpliced(first, 1)), keyLog);
  assertWhole(never);
  assert.equal(only(never).toClient.retransmittedBytes, 0);
});

test('reads a damaged capture as far as it goes, or rejects it with a sentence', async () => {
  const { written, keyLog } = talks['TLSv1.3'];
  const whole = pcapng(tcpFrames(written), { keyLog });
  for (let input = 0; input < 24; input++) {
    const { number } = choicesOf(1, input);
    const damaged = Buffer.from(whole);
    for (let change = 0; change <= number(40); change++)
      damaged[number(whole.length)] = number(256);
    const bytes = input % 4 === 0 ? damaged.subarray(0, number(whole.length)) : damaged;
    await readOf(bytes).then(
      (record) => assert.ok(record.packets >= 0),
      (error) => assert.ok(error instanceof ExitError, `input ${input}: ${error.stack}`),
    );
  }
});
