import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { readManifest } from '../../../../cache/manifest.ts';
import { objectsSite } from '../../../../cache/objects-site.ts';
import { readCapture } from '../../../../packets/connections/capture-reader.ts';
import type { DissectedPacket } from '../../../../packets/dissection/packet.ts';
import type { Server } from '../../../../runner/servers.ts';
import { STACKS } from '../../../../servers/index.ts';
import { loadOverPath, type PathBench, withPathBench } from '../../../../test/e2e/path-bench.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

/** Long compared with the delays of a busy machine. */
const RTT_MS = 300;
const LOADS = { least: 2, most: 6 };
const MOST_TRIES = 24;
/**
 * Range of suitable positions: servers that pace need part of a round trip for a flight, and early
 * losses are repeated with its end.
 */
const LATE = 0.75;
/**
 * Objects small enough to arrive in one flight with the rest of the document, which names them
 * first.
 */
const PAGE = { objects: 10, objectBytes: 1000, documentBytes: 120_000 };
const DOCUMENT = 1;

interface LoadResult {
  /** For the document, and then for each object. */
  finishMs: number[];
  /** Responses of the connection with bytes in lost packets. */
  lost: number[];
  /**
   * Numbers, as the path counts them, of packets with data towards the client that carried only
   * parts of the document, in the flight in which it ended.
   */
  alone: number[];
}

async function loadPage(
  bench: PathBench,
  server: Server,
  lostPacket?: number,
): Promise<LoadResult> {
  const network = lostPacket === undefined ? {} : { lostPacket };
  const { pageLoad } = await loadOverPath(bench, server, { rttMs: RTT_MS, network });
  assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
  assert.equal(pageLoad.path?.toClient.lost, lostPacket === undefined ? 0 : 1);
  const packets: DissectedPacket[] = [];
  const file = path.join(bench.folder, `${pageLoad.id}.pcapng`);
  const { connections } = await readCapture(file, {}, ({ packet, direction }) => {
    if (direction === 'toClient' && (packet.tcp ?? packet.udp)?.bytes !== 0) packets.push(packet);
  });
  const finishMs = pageLoad.details?.finishMs?.flatMap((ms) => ms ?? []) ?? [];
  assert.equal(finishMs.length, 1 + PAGE.objects);
  return {
    finishMs,
    lost: connections.flatMap(({ lostResponses = [] }) => lostResponses),
    alone: inLastFlight(server.stack.protocol === 'h3' ? byQuic(packets) : byHttp2(packets)),
  };
}

/** A packet with data towards the client. */
interface Delivery {
  atMs: number;
  /** Its streams. */
  streams: number[];
  document: number;
}

function byQuic(packets: readonly DissectedPacket[]): Delivery[] {
  return packets.map(({ s, ns, quic = [] }) => ({
    atMs: s * 1000 + ns / 1e6,
    streams: quic.flatMap(({ frames = [] }) => frames.flatMap(({ stream }) => stream ?? [])),
    document: 0,
  }));
}

/**
 * Frames count where they end: earlier bytes belong to the next ones, which may be in one TLS
 * record.
 */
function byHttp2(packets: readonly DissectedPacket[]): Delivery[] {
  let next: number[] = [];
  return packets
    .toReversed()
    .map(({ s, ns, http2 = [] }) => {
      const ended = http2.flatMap(({ stream }) => stream ?? []);
      const streams = [...ended, ...next];
      if (ended.length > 0) next = ended;
      return { atMs: s * 1000 + ns / 1e6, streams, document: 1 };
    })
    .toReversed();
}

/** The numbers of packets that carried the document alone, behind the last pause before its end. */
function inLastFlight(packets: readonly Delivery[]): number[] {
  const end = packets.findLastIndex(({ streams, document }) => streams.includes(document));
  const begin = packets.findLastIndex(
    ({ atMs }, index) => index <= end && atMs - (packets[index - 1]?.atMs ?? 0) > RTT_MS / 2,
  );
  return packets.flatMap(({ streams, document }, index) => {
    const isAlone = streams.length > 0 && streams.every((stream) => stream === document);
    return isAlone && index >= begin && index <= end ? [index + 1] : [];
  });
}

/** The minimum of each: a busy machine delays some loads, a lost packet all. */
function leastMs(loads: readonly LoadResult[]): number[] {
  const [first] = loads;
  return (first?.finishMs ?? []).map((_, object) =>
    Math.min(...loads.map(({ finishMs }) => finishMs[object] as number)),
  );
}

function inBoth(some: readonly number[], second: readonly number[]): number[] {
  return some.filter((each) => second.includes(each));
}

/**
 * Delay of objects in ms when a late packet with only the document is lost: from enough loads to be
 * right, or the maximum number.
 */
async function delaysMs(
  bench: PathBench,
  server: Server,
  isRight: (delaysMs: readonly number[]) => boolean,
): Promise<number[]> {
  const whole: LoadResult[] = [];
  const lossy: LoadResult[] = [];
  let alone: number[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (alone.length === 0) {
      const fresh: LoadResult[] = [];
      while (fresh.length < LOADS.least) fresh.push(await loadPage(bench, server));
      whole.push(...fresh);
      // Times vary: a packet that carried only the document in every load is likely to do so in the
      // next one.
      alone = fresh.map((load) => load.alone).reduce(inBoth);
      continue;
    }
    const late = alone[Math.floor(LATE * alone.length)] as number;
    const made = await loadPage(bench, server, late);
    if (made.lost.length === 1 && made.lost[0] === DOCUMENT) lossy.push(made);
    else alone = inBoth(alone, made.alone).filter((packet) => packet !== late);
    if (lossy.length < LOADS.least) continue;
    const before = leastMs(whole);
    const foundMs = leastMs(lossy).map((ms, object) => ms - (before[object] as number));
    if (isRight(foundMs) || lossy.length === LOADS.most) return foundMs;
  }
  assert.fail(
    `no packet was one of the document's alone: ${server.stack.stack}, ${MOST_TRIES} tries`,
  );
}

test('delays the document alone by HTTP/3 after a lost packet of it, and everything behind it by HTTP/2', () =>
  withTemporaryFolder(async (sites) => {
    const folder = await objectsSite('objects', PAGE, sites);
    const manifest = await readManifest(folder);
    const stacks = STACKS.filter(({ stack }) => ['lsquic-h3', 'bun-h2'].includes(stack));
    await withPathBench(
      { folder, manifest },
      async (bench) => {
        for (const server of bench.servers) {
          const late = server.stack.protocol === 'h3' ? 0 : PAGE.objects;
          const isRight = ([ofDocument = 0, ...ofObjects]: readonly number[]) =>
            ofDocument > 0.5 * RTT_MS &&
            ofDocument < 2 * RTT_MS &&
            ofObjects.filter((delayMs) => delayMs > 0.5 * RTT_MS).length === late;
          const delays = await delaysMs(bench, server, isRight);
          assert.ok(isRight(delays), `${server.stack.stack}: ${delays.join(' ')}`);
        }
      },
      { stacks, choices: { packets: 'all' }, backend: 'userspace' },
    );
  }));
