import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readManifest } from '../../cache/manifest.ts';
import { objectsSite } from '../../cache/objects-site.ts';
import type { Har } from '../../clients/har/har.ts';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import type { CaptureRecord } from '../../ground/records/packets.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { OTHER_CLIENT_ADDRESS } from '../../network/addresses.ts';
import { readCapture } from '../../packets/connections/capture-reader.ts';
import type { Server } from '../../runner/servers.ts';
import { bunH2 } from '../../servers/bun-h2/stack.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath, type MadeLoad, type PathBench, withPathBench } from './path-bench.ts';
import { TESTED_STACKS } from './tested-stacks.ts';
import { OF_THE_MACHINE } from './whole-run.ts';
import { withRun } from './with-run.ts';

/** Long after the handshakes, even late ones. */
const AT_MS = 1000;
const RTT_MS = 100;
/** 400 kB take 1.6 s at this rate, and the event comes halfway. */
const DOWN_KBPS = 2000;
const OBJECTS = { objects: 20, objectBytes: 20_000, documentBytes: null };
const QUIC_STACKS = TESTED_STACKS.filter(({ protocol }) => protocol === 'h3');

const MOVED = 'frame.comment contains "servers see"';

/** A load during which the path changed. */
interface Changed extends MadeLoad {
  kind: (typeof KINDS)[number];
  har: Har;
  capture: CaptureRecord;
  /** The capture. */
  file: string;
}

const KINDS = ['rebind', 'address'] as const;

/** Maximum number of loads until one shows the effect. */
const MOST_TRIES = 3;

async function changed(
  bench: PathBench,
  server: Server,
  kind: Changed['kind'],
  isShown: (load: Changed) => boolean = () => true,
): Promise<Changed> {
  for (let tries = 1; ; tries++) {
    const event = { kind, atMs: AT_MS };
    const network = { downKbps: DOWN_KBPS, event };
    const { pageLoad, har } = await loadOverPath(bench, server, { rttMs: RTT_MS, network });
    const file = path.join(bench.folder, `${pageLoad.id}.pcapng`);
    const load = { ...pageLoad, kind, har, file, capture: await readCapture(file) };
    if (isShown(load) || tries === MOST_TRIES) return load;
  }
}

/** Number of packets of a capture that match a Wireshark filter. */
function packetsIn(file: string, filter: string): number {
  const found = execFileSync('tshark', ['-n', '-r', file, '-Y', filter], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return found.split('\n').filter((line) => line !== '').length;
}

function assertGoesOn({ path: counts, details, metrics, connections, ...load }: Changed): void {
  const what = `${load.arm}, ${load.kind}`;
  assert.equal(load.outcome, 'ok', `${what}: ${load.message}`);
  assert.equal(counts?.event?.happenedAtMs, AT_MS);
  assert.deepEqual(details?.breaks, { brokenRequests: 0, reloads: 0, stalls: 0 }, what);
  assert.equal(metrics.completeMs, metrics.pageLoadMs);
  assert.equal(connections?.opened.length, 1, `${what}: nothing is connected anew`);
}

function isChallenged({ file }: Changed): boolean {
  return packetsIn(file, `quic.frame_type == 26 && ${MOVED}`) > 0;
}

function assertValidates(load: Changed): void {
  const { arm, kind, file, capture } = load;
  const what = `${arm}, ${kind}`;
  assert.ok(isChallenged(load), `${what}: PATH_CHALLENGE`);
  assert.ok(packetsIn(file, `quic.frame_type == 27 && ${MOVED}`) > 0, `${what}: PATH_RESPONSE`);
  // The rest of the page, also over another port of Chromium's own choice: far more than was in
  // flight.
  const later = `udp.length > 1000 && frame.time_relative > ${(AT_MS + RTT_MS) / 1000}`;
  assert.ok(packetsIn(file, `${later} && !(frame.comment contains "dropped")`) > 100, what);
  const [move] = capture.connections.flatMap(({ moves = [] }) => moves);
  assert.ok(move, what);
  assert.equal(move.client.startsWith(`${OTHER_CLIENT_ADDRESS}:`), kind === 'address', move.client);
  assert.ok(move.challengedMs !== null && move.answeredMs !== null, what);
  // A server learns of the new path half a round trip later, and its challenge takes as long.
  assert.ok(move.challengedMs - move.beganMs >= RTT_MS, `${what}: ${move.challengedMs}`);
  assert.ok(move.answeredMs >= move.challengedMs, what);
}

function assertBreaks({
  kind,
  path: counts,
  details,
  metrics,
  har,
  capture,
  ...load
}: Changed): void {
  assert.equal(load.outcome, 'ok', `${kind}: ${load.message}`);
  // One, and a second if Chromium did not wait for a late response to its first SYN.
  const before = capture.connections.filter(
    ({ beganMs, protocol }) => beganMs < AT_MS && protocol !== null,
  );
  assert.ok(before.length > 0, kind);
  assert.equal(counts?.event?.changedConnections, before.length, kind);
  assert.ok((counts.event.laterConnections ?? 0) >= 1, `${kind}: it connects anew`);
  assert.ok((metrics.completeMs ?? 0) > AT_MS, kind);
  assert.ok(details?.breaks, kind);
  // Chromium itself repeats unanswered requests; if there are no further ones, nothing broke.
  if (details.breaks.reloads === 0) {
    assert.equal(metrics.completeMs, metrics.pageLoadMs);
    return;
  }
  assert.ok(details.breaks.brokenRequests > 0, kind);
  assert.equal(metrics.pageLoadMs, null);
  const broken = har.log.entries.filter(({ response }) => response._error !== undefined);
  assert.ok(broken.length > 0, `${kind}: its HAR has what broke`);
}

test('goes on by HTTP/3 when the client gets another port or address, and completes the page by HTTP/2 over a new connection', () =>
  withTemporaryFolder(async (sites) => {
    const folder = await objectsSite('objects', OBJECTS, sites);
    await withPathBench(
      { folder, manifest: await readManifest(folder) },
      async (bench) => {
        for (const server of bench.servers) {
          for (const kind of KINDS) {
            if (server.stack.protocol === 'h2') {
              assertBreaks(await changed(bench, server, kind));
              continue;
            }
            // If Chromium by itself takes another port once more, tshark cannot decrypt its
            // packets.
            const load = await changed(bench, server, kind, isChallenged);
            assertGoesOn(load);
            assertValidates(load);
          }
        }
      },
      {
        stacks: [...QUIC_STACKS, bunH2],
        choices: { packets: 'all' },
      },
    );
  }));

test('reports an event during loads, and makes loads invalid, with their length, if the event comes after their end', () =>
  withRun<PageLoad>(
    `benchmark --sites objects-2x1kB --stacks lsquic-h3 --rtt 100
      --event rebind@150ms,rebind@20000ms --repetitions 1 --warm-ups 1`,
    async ({ out, observations: pageLoads, output }) => {
      const [inTime, late] = [150, 20_000].map((atMs) =>
        pageLoads.filter(({ network }) => network.event?.atMs === atMs),
      );
      assert.ok(
        inTime?.some(({ outcome }) => outcome === 'ok'),
        output,
      );
      const judged = late?.filter(({ code }) => !OF_THE_MACHINE.includes(code));
      assert.ok(judged?.length, output);
      for (const { id, code, message } of judged) {
        assert.equal(code, 'event-too-late', id);
        assert.match(
          message ?? '',
          /had ended after \d+ ms when .* 20000 ms after its first packet/,
        );
      }
      const report = await readFile(path.join(out, 'report.html'), 'utf8');
      assert.match(report, /id="path-events"/);
    },
    EXIT.someLoadsNotOk,
  ));
