import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Har } from '../../clients/har/har.ts';
import {
  type CaptureRecord,
  LAYER_NAMES,
  type WireConnection,
} from '../../ground/records/packets.ts';
import { type CapturedPacket, readCapture } from '../../packets/connections/capture-reader.ts';
import { isEarlier, isLost } from '../../packets/dissection/packet.ts';
import type { Server } from '../../runner/servers.ts';
import {
  type LoadOptions,
  loadOverPath,
  type MadeLoad,
  type PathBench,
  withPathBench,
} from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';

const HOST = 'www.packets.test';
const SITE: FixtureResource[] = [
  {
    url: `https://${HOST}/`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: '<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/a.css"><script src="/a.js"></script><script src="/b.js"></script>',
    gzip: true,
  },
  {
    url: `https://${HOST}/a.css`,
    headers: [['content-type', 'text/css']],
    body: 'body{margin:0}'.repeat(300),
    gzip: true,
  },
  ...[40_000, 200_000].map((bytes, index) => ({
    url: `https://${HOST}/${'ab'[index]}.js`,
    headers: [['content-type', 'text/javascript'] as [string, string]],
    body: `//${randomBytes(bytes).toString('base64')}`,
  })),
];

const RTT_MS = 100;
/** A time of the capture is when the link took a packet, which may be a little after it was sent. */
const EARLY_MS = 0.5;

interface Captured {
  server: Server;
  pageLoad: MadeLoad;
  har: Har;
  record: CaptureRecord;
  packets: CapturedPacket[];
}

async function captured(
  bench: PathBench,
  server: Server,
  network: LoadOptions['network'] = {},
): Promise<Captured> {
  const { pageLoad, har } = await loadOverPath(bench, server, { rttMs: RTT_MS, network });
  const packets: CapturedPacket[] = [];
  const file = path.join(bench.folder, `${pageLoad.id}.pcapng`);
  const record = await readCapture(file, {}, (packet) => void packets.push(packet));
  assert.deepEqual(record.complaints, []);
  return { server, pageLoad, har, record, packets };
}

/**
 * On a busy machine programs are late, and a sender takes late packets for lost and really sends
 * them again. Then the load is repeated, each time after a wait twice as long, which would fix
 * neither a wrong count nor a wrong instant.
 */
const MOST_TRIES = 6;

/** A load that the machine did not disturb. */
async function capturedUndisturbed(
  bench: PathBench,
  server: Server,
  network: LoadOptions['network'],
  isUndisturbed: (made: Captured) => boolean,
): Promise<Captured> {
  for (let tries = 1; ; tries++) {
    const made = await captured(bench, server, network);
    assert.equal(made.pageLoad.outcome, 'ok', made.pageLoad.message ?? '');
    if (isUndisturbed(made) || tries === MOST_TRIES) return made;
    await sleep(500 * 2 ** (tries - 1));
  }
}

/** Repeated bytes at the client. */
function againBytes({ record }: Captured): number {
  return sumOf(record.connections, (each) => each.toClient.retransmittedBytes);
}

/** Bytes of data in the packet that the path lost. */
function lostBytes({ packets }: Captured): number | undefined {
  const lost = packets.filter(({ packet }) => isLost(packet) && !isEarlier(packet));
  assert.equal(lost.length, 1);
  const [{ packet } = assert.fail()] = lost;
  return (
    packet.tcp?.bytes ??
    packet.quic
      ?.flatMap(({ frames = [] }) => frames)
      .reduce((sum, { dataBytes = 0 }) => sum + dataBytes, 0)
  );
}

function isQuic({ server }: Captured): boolean {
  return server.stack.protocol === 'h3';
}

function sumOf(
  connections: readonly WireConnection[],
  of: (each: WireConnection) => number,
): number {
  return connections.reduce((sum, each) => sum + of(each), 0);
}

/** Packets and bytes match the path's counts. */
function assertAsCounted({ pageLoad, packets, record }: Captured): void {
  for (const direction of ['toServer', 'toClient'] as const) {
    const arrived = packets.filter(
      (each) => each.direction === direction && (each.packet.comments ?? []).length === 0,
    );
    assert.deepEqual(
      {
        packets: arrived.length,
        bytes: arrived.reduce((sum, { packet }) => sum + packet.bytes, 0),
        lost: sumOf(record.connections, (each) => each[direction].lostPackets),
      },
      {
        packets: pageLoad.path?.[direction].packets,
        bytes: pageLoad.path?.[direction].bytes,
        lost: pageLoad.path?.[direction].lost,
      },
    );
  }
  const layers = sumOf(record.connections, ({ beforeRequest, afterRequest }) =>
    LAYER_NAMES.reduce((sum, layer) => sum + beforeRequest[layer] + afterRequest[layer], 0),
  );
  assert.equal(layers, record.bytes);
  assert.deepEqual([record.otherPackets, record.cutPackets], [0, 0]);
}

/** Everything could be decrypted, and matches the site. */
function assertAsServed({ pageLoad, record, har }: Captured, bodyBytes: number): void {
  const { connections } = record;
  // Handshakes according to the tap, and to the capture.
  assert.deepEqual(
    connections.map(({ client }) => Number(client.split(':').at(-1))).toSorted(),
    pageLoad.connections?.opened.map(({ clientPort }) => clientPort).toSorted(),
  );
  assert.ok(connections.every(({ opened }) => opened === 'all'));
  const unread = sumOf(connections, (each) => each.beforeRequest.unread + each.afterRequest.unread);
  assert.equal(unread, 0);
  assert.equal(
    sumOf(connections, ({ requests }) => requests),
    har.log.entries.length,
  );
  assert.equal(
    sumOf(connections, ({ toClient }) => toClient.payloadBytes),
    bodyBytes,
  );
  assert.ok(connections.every(({ host }) => host === HOST));
}

/**
 * A handshake takes its protocol's round trips plus the time of the programs at its ends: less than
 * another round trip, and the client's part between them is in the capture.
 */
function assertInstants(each: Captured): void {
  for (const [place, read] of each.record.connections.entries()) {
    const { own, firstData, leastMs, restMs, confirmingMs } = waitsOf(each, read, place);
    const { completeMs } = read;
    assert.ok(leastMs > RTT_MS - EARLY_MS, `${leastMs} ms`);
    assert.ok(restMs > -EARLY_MS, `${restMs} ms beyond its round trips`);
    // The client's hello leaves after TCP's handshake, and a round trip before its response.
    const helloMs = read.clientHelloMs ?? Number.NaN;
    assert.ok(
      helloMs >= (firstData?.atMs ?? own[0]?.atMs ?? 0) - (own[0]?.atMs ?? 0),
      `${helloMs} ms`,
    );
    assert.ok((read.maySendMs ?? 0) - helloMs > RTT_MS - EARLY_MS, `${helloMs} ms`);
    assert.equal(Boolean(read.handshakePackets), isQuic(each));
    assert.ok((read.handshakePackets?.firstMs ?? RTT_MS) > RTT_MS - EARLY_MS);
    assert.ok(completeMs !== null && completeMs >= (read.maySendMs ?? 0));
    assert.ok(confirmingMs > RTT_MS - EARLY_MS, `${confirmingMs} ms`);
  }
  assert.ok(isPrompt(each), JSON.stringify(each.record.connections));
}

/** Whether no part of its handshakes took another round trip. */
function isPrompt(each: Captured): boolean {
  return each.record.connections.every((read, place) => {
    const { leastMs, restMs, confirmingMs } = waitsOf(each, read, place);
    return leastMs < RTT_MS + 10 && restMs < RTT_MS / 2 && confirmingMs < 2 * RTT_MS;
  });
}

/**
 * Waits of a connection: its shortest round trip, its handshake beyond the necessary ones, and from
 * its end to its confirmation.
 */
function waitsOf(each: Captured, read: WireConnection, place: number) {
  const own = each.packets.filter(({ connection }) => connection === place);
  // By TCP the client sends its hello after the server's packet.
  const answered = isQuic(each) ? null : own.find(({ direction }) => direction === 'toClient');
  const firstData = own.find(({ packet }) => (packet.tcp?.bytes ?? 0) > 0);
  const clientMs = answered && firstData ? firstData.atMs - answered.atMs : 0;
  const trips = isQuic(each) ? 1 : 2;
  return {
    own,
    firstData,
    leastMs: read.roundTripMs?.least ?? 0,
    restMs: (read.maySendMs ?? 0) - clientMs - trips * RTT_MS,
    confirmingMs: (read.confirmedMs ?? 0) - (read.completeMs ?? 0),
  };
}

/**
 * The client's first datagram is padded (RFC 9000, section 14.1), and headers depend on the length
 * of their connection ids.
 */
function assertQuicHeads({ packets, record }: Captured): void {
  const [first] = packets;
  assert.ok((first?.packet.udp?.bytes ?? 0) >= 1200);
  assert.ok(sumOf(record.connections, ({ toServer }) => toServer.paddingBytes) > 0);
  const shorts = packets
    .flatMap(({ packet }) => packet.quic ?? [])
    .filter(({ long }) => long !== 1);
  assert.ok(shorts.length > 50);
  for (const { bytes, payloadBytes = 0, toIdBytes = 0, frames = [] } of shorts) {
    // One byte, the connection id, and a packet number of 1 to 4 bytes.
    const numberBytes = bytes - payloadBytes - 1 - toIdBytes;
    assert.ok(numberBytes >= 1 && numberBytes <= 4, `${numberBytes}`);
    assert.equal(payloadBytes - frames.reduce((sum, frame) => sum + frame.bytes, 0), 16);
  }
}

test('match the captures of loads with counts, contents and waits', () =>
  withPathBench(
    SITE,
    async (bench) => {
      const bodyBytes = bench.manifest.resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
      for (const server of bench.servers) {
        const made = await capturedUndisturbed(
          bench,
          server,
          {},
          (each) => isPrompt(each) && againBytes(each) === 0,
        );
        assertAsCounted(made);
        assertAsServed(made, bodyBytes);
        assertInstants(made);
        if (isQuic(made)) assertQuicHeads(made);
        assert.equal(againBytes(made), 0, server.stack.stack);
      }
    },
    { choices: { packets: 'all' } },
  ));

/** Late enough in a load that it contains a part of a body. */
const LOST_PLACE = 40;

test('repeat a lost packet once, and count it once', () =>
  withPathBench(
    SITE,
    async (bench) => {
      const bodyBytes = bench.manifest.resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
      for (const server of bench.servers) {
        const network = { lostPacket: LOST_PLACE };
        const made = await capturedUndisturbed(
          bench,
          server,
          network,
          (each) => againBytes(each) === lostBytes(each),
        );
        assertAsCounted(made);
        assertAsServed(made, bodyBytes);
        const dataBytes = lostBytes(made);
        // Seldom a short one: the end of a body or of a window.
        assert.ok(dataBytes !== undefined && dataBytes > 0, `${dataBytes}`);
        assert.equal(againBytes(made), dataBytes, server.stack.stack);
      }
    },
    { choices: { packets: 'all' }, backend: 'userspace' },
  ));
