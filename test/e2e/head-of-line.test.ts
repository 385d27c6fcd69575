import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { readManifest } from '../../cache/manifest.ts';
import { objectsSite } from '../../cache/objects-site.ts';
import { readCapture } from '../../packets/connections/capture-reader.ts';
import { type DissectedPacket, HTTP_FRAME } from '../../packets/dissection/packet.ts';
import type { Server } from '../../runner/servers.ts';
import { STACKS } from '../../servers/index.ts';
import { median } from '../../statistics/median.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath, type PathBench, withPathBench } from './path-bench.ts';

/** So long that what a busy machine takes is little beside it. */
const RTT_MS = 200;
const LOADS = 3;
/** Small enough to come in one flight with the rest of the document, in which they are named first. */
const PAGE = { objects: 10, objectBytes: 1000, documentBytes: 100_000 };
const DOCUMENT = 1;

interface Loaded {
  /** Of the document, and then of each object. */
  finishMs: number[];
  /** Of the connection's responses, those that had bytes in lost packets. */
  lost: number[];
  /** Numbers, as the path counts them, of packets with data towards the client that brought parts of the document. */
  ofDocument: number[];
}

async function loaded(bench: PathBench, server: Server, lostPacket?: number): Promise<Loaded> {
  const network = lostPacket === undefined ? {} : { lostPacket };
  const { pageLoad } = await loadOverPath(bench, server, { rttMs: RTT_MS, network });
  assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
  assert.equal(pageLoad.path?.toClient.lost, lostPacket === undefined ? 0 : 1);
  const ofDocument: number[] = [];
  let dataPackets = 0;
  const file = path.join(bench.folder, `${pageLoad.id}.pcapng`);
  const { connections } = await readCapture(file, {}, ({ packet, way }) => {
    if (way !== 'toClient' || (packet.tcp ?? packet.udp)?.bytes === 0) return;
    dataPackets += 1;
    if (bringsDocument(packet)) ofDocument.push(dataPackets);
  });
  const finishMs = pageLoad.details?.finishMs?.flatMap((ms) => ms ?? []) ?? [];
  assert.equal(finishMs.length, 1 + PAGE.objects);
  return {
    finishMs,
    lost: connections.flatMap(({ lostResponses = [] }) => lostResponses),
    ofDocument,
  };
}

/** The first stream of a connection: 0 by QUIC, 1 by HTTP/2, whose frames stand where they end. */
function bringsDocument({ quic = [], http2 = [] }: DissectedPacket): boolean {
  return (
    quic.some(({ frames = [] }) => frames.some(({ stream, data }) => stream === 0 && data)) ||
    http2.some(({ stream, type }) => stream === 1 && type === HTTP_FRAME.data)
  );
}

/** The median of each of them. */
function medians(loads: readonly Loaded[]): number[] {
  return (loads[0]?.finishMs ?? []).map((_, object) =>
    Number(median(loads.map(({ finishMs }) => finishMs[object] as number))),
  );
}

/** By how many ms objects come later when a packet of nothing but the document is lost, late in it. */
async function delaysMs(bench: PathBench, server: Server): Promise<number[]> {
  const whole: Loaded[] = [];
  while (whole.length < LOADS) whole.push(await loaded(bench, server));
  const lossy: Loaded[] = [];
  for (let tries = 0; lossy.length < LOADS; tries += 1) {
    assert.ok(
      tries < 4 * LOADS,
      `no packet was one of the document's alone: ${server.stack.stack}`,
    );
    const { ofDocument } = whole[tries % LOADS] as Loaded;
    const late = ofDocument[Math.floor(0.8 * ofDocument.length)];
    const made = await loaded(bench, server, late);
    // What comes when is never quite the same.
    if (made.lost.length === 1 && made.lost[0] === DOCUMENT) lossy.push(made);
  }
  const before = medians(whole);
  return medians(lossy).map((ms, object) => ms - (before[object] as number));
}

test('a lost packet of the document delays the document alone by HTTP/3, and everything behind it by HTTP/2', () =>
  withTemporaryFolder(async (sites) => {
    const folder = await objectsSite('objects', PAGE, sites);
    const manifest = await readManifest(folder);
    const stacks = STACKS.filter(({ stack }) => ['lsquic-h3', 'bun-h2'].includes(stack));
    await withPathBench(
      { folder, manifest },
      async (bench) => {
        for (const server of bench.servers) {
          const [ofDocument = 0, ...ofObjects] = await delaysMs(bench, server);
          const told = `${server.stack.stack}: ${ofDocument}; ${ofObjects.join(' ')}`;
          assert.ok(ofDocument > 0.5 * RTT_MS && ofDocument < 2 * RTT_MS, told);
          const late = ofObjects.filter((delayMs) => delayMs > 0.5 * RTT_MS);
          assert.equal(late.length, server.stack.protocol === 'h3' ? 0 : PAGE.objects, told);
        }
      },
      { stacks, choices: { packets: 'all' }, backend: 'userspace' },
    );
  }));
