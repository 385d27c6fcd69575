import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Har } from '../../clients/chromium/har/har.ts';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { OTHER_CLIENT_ADDRESS } from '../../network/addresses.ts';
import { readPackets } from '../../records/read.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const AT_MS = 600;
const RTT_MS = 100;
/** 400 kB take 1.6 s at this rate. */
const DOWN_KBPS = 2000;
const QUIC_STACKS = ['lsquic-h3', 'quic-go-h3'].filter((name) =>
  TESTED_STACKS.some(({ stack }) => stack === name),
);

const MOVED = 'frame.comment contains "servers see"';

/** How many packets of a capture Wireshark's own program finds. */
function packetsIn(file: string, filter: string): number {
  const found = execFileSync('tshark', ['-n', '-r', file, '-Y', filter], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return found.split('\n').filter((line) => line !== '').length;
}

function assertGoesOn({
  id,
  path: counts,
  details,
  metrics,
  connections,
  ...load
}: PageLoad): void {
  assert.equal(load.outcome, 'ok', `${id}: ${load.message}`);
  assert.equal(counts?.event?.happenedAtMs, AT_MS);
  assert.deepEqual(details?.breaks, { brokenRequests: 0, reloads: 0, stalls: 0 }, id);
  assert.equal(metrics.completeMs, metrics.pageLoadMs);
  assert.equal(connections?.opened.length, 1, `${id}: nothing is connected anew`);
}

async function assertValidates(out: string, load: PageLoad): Promise<void> {
  const { id, files } = load;
  const file = path.join(out, files.packets ?? '');
  assert.ok(packetsIn(file, `quic.frame_type == 27 && ${MOVED}`) > 0, `${id}: PATH_RESPONSE`);
  // The rest of the page, also over another port of Chromium's own choice: far more than what was on its way.
  const later = `udp.length > 1000 && frame.time_relative > ${(AT_MS + RTT_MS) / 1000}`;
  assert.ok(packetsIn(file, `${later} && !(frame.comment contains "dropped")`) > 100, id);
  const capture = (await readPackets(out)).find((each) => each.id === id);
  const [move] = capture?.connections.flatMap(({ moves = [] }) => moves) ?? [];
  assert.ok(move, id);
  const { kind } = load.network.event ?? {};
  assert.equal(move.client.startsWith(`${OTHER_CLIENT_ADDRESS}:`), kind === 'address', move.client);
  assert.ok(move.challengedMs !== null && move.answeredMs !== null, id);
  // A server hears of the new path half a round trip later, and its question takes as long.
  assert.ok(move.challengedMs - move.beganMs >= RTT_MS, `${id}: ${move.challengedMs}`);
  assert.ok(move.answeredMs >= move.challengedMs, id);
}

async function assertBreaks(out: string, load: PageLoad): Promise<void> {
  const { id, path: counts, details, metrics, files } = load;
  assert.equal(load.outcome, 'ok', `${id}: ${load.message}`);
  assert.equal(counts?.event?.changedConnections, 1, id);
  assert.ok((counts.event?.laterConnections ?? 0) >= 1, `${id} connects anew`);
  assert.ok((metrics.completeMs ?? 0) > AT_MS, id);
  assert.ok(details?.breaks, id);
  // Chromium itself asks again for what had no answer yet, and where that is all, nothing is broken.
  if (details.breaks.reloads === 0) {
    assert.equal(metrics.completeMs, metrics.pageLoadMs);
    return;
  }
  assert.ok(details.breaks.brokenRequests > 0, id);
  assert.equal(metrics.pageLoadMs, null);
  const har = JSON.parse(await readFile(path.join(out, files.har ?? ''), 'utf8')) as Har;
  const broken = har.log.entries.filter(({ response }) => response._error !== undefined);
  assert.ok(broken.length > 0, `${id}: its HAR has what broke`);
}

test('by HTTP/3 a load goes on when the client gets another port or address; by HTTP/2 its connection breaks, and the page is whole all the same', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['benchmark', '--sites', 'objects-20x20kB', '--packets', 'all', '--out', out],
      ...['--stacks', [...QUIC_STACKS, 'bun-h2'].join(), '--repetitions', '2'],
      ...['--rtt', `${RTT_MS}`, '--down', `${DOWN_KBPS}`],
      ...['--event', `rebind@${AT_MS}ms,address@${AT_MS}ms`],
    ]);
    assert.equal(await command.ended, 0, command.output());
    await assertNoProcessLeft(command);
    const { pageLoads } = await readPageLoads(out);
    const measured = pageLoads.filter(({ warmup }) => !warmup);
    assert.equal(measured.length, 4 * (QUIC_STACKS.length + 1));
    for (const load of measured) {
      if (load.protocol === 'h3') assertGoesOn(load);
      else await assertBreaks(out, load);
    }
    // Where Chromium by itself takes another port once more, tshark cannot open what comes to that one: it is asked of one of two loads.
    const overQuic = measured.filter(({ protocol }) => protocol === 'h3');
    const cells = Map.groupBy(overQuic, ({ arm, network }) => `${arm} ${network.name}`);
    assert.equal(cells.size, 2 * QUIC_STACKS.length);
    for (const [cell, loads] of cells) {
      const shown = loads.find(({ files }) =>
        packetsIn(path.join(out, files.packets ?? ''), `quic.frame_type == 26 && ${MOVED}`),
      );
      assert.ok(shown, `${cell}: PATH_CHALLENGE`);
      await assertValidates(out, shown);
    }
    const report = await readFile(path.join(out, 'report.html'), 'utf8');
    assert.match(report, /id="path-events"/);
  }));

test('an event after the end of a load makes it invalid, with its length', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['benchmark', '--sites', 'objects-2x1kB', '--out', out, '--stacks', 'lsquic-h3'],
      ...['--rtt', '10', '--event', 'rebind@20000ms', '--repetitions', '1'],
    ]);
    await command.ended;
    const { pageLoads } = await readPageLoads(out);
    assert.ok(pageLoads.length > 0, command.output());
    for (const { code, message } of pageLoads) {
      assert.equal(code, 'event-too-late');
      assert.match(message ?? '', /had ended after \d+ ms when .* 20000 ms after its first packet/);
    }
  }));
