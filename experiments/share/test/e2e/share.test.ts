import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../../../statistics/median.ts';
import { type Command, startMeasuring } from '../../../../test/e2e/command.ts';
import { assertNoProcessLeft } from '../../../../test/e2e/left-behind.ts';
import { sentBytes } from '../../../../test/e2e/processes.ts';
import {
  processesFrom,
  type RunProcess,
  serversOf,
  signalAll,
} from '../../../../test/e2e/run-processes.ts';
import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import { isSpoilt } from '../../../../test/e2e/whole-run.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { FLOW_STEP_MS, type Flow, type SharingDetails } from '../../records.ts';
import { assertWithin, BOTTLENECK, readShared, type SharedRow } from './sharing.ts';

const CONTROL = '2-bun-h2';

/**
 * Capacity of 10 Mbit/s for bodies by TCP without headers, plus data that may be at the client
 * already, behind a lost packet: a full path.
 */
function mostKbps({ countedMs }: SharingDetails): number {
  return (10_000 * 1448) / 1514 + (8 * (37_500 + 37_500)) / (countedMs ?? 0);
}

/** Total of all flows in each second of the counted time. */
function secondsKbps(
  { countedFromMs, countedMs }: SharingDetails,
  flows: readonly Flow[],
): number[] {
  const steps = 1_000 / FLOW_STEP_MS;
  const first = Math.ceil((countedFromMs ?? 0) / FLOW_STEP_MS);
  return Array.from({ length: Math.floor((countedMs ?? 0) / 1_000) }, (_, second) => {
    const from = first + second * steps;
    const bytes = flows.flatMap(({ stepBytes }) => stepBytes.slice(from, from + steps));
    return (8 * bytes.reduce((sum, each) => sum + each, 0)) / 1_000;
  });
}

test('gives flows over one bottleneck all of it together, and keeps the queue within its limit', () =>
  withRun<SharedRow>(
    `${BOTTLENECK.join(' ')} --flows bun-h2:2/bun-h2:1,${HTTP1.stack}:3 --duration 10
     --repetitions 1 --seed 1`,
    ({ observations: all }) => {
      assert.equal(new Set(all.map(({ subject, block }) => `${subject} ${block}`)).size, 2);
      const rows = all.filter(({ outcome }) => outcome === 'ok');
      for (const { id, subject, metrics, details, path: counts, machine } of rows) {
        // The link does not know the arms of its packets.
        assert.deepEqual(counts, subject === CONTROL ? details?.path : null, id);
        assert.ok((machine?.clientCpuMs ?? 0) > 0, `${id}: what its clients took`);
        assert.ok(details?.queue, id);
        assert.equal(details.queue.setBytes, 37_500);
        assertWithin(details.queue.mostBytes, [25_000, 37_500], `${id}: bytes in the queue`);
        assertWithin(metrics.totalKbps ?? 0, [1, mostKbps(details)], `${id}: goodput of all flows`);
        assertWithin(metrics.jainIndex ?? 0, [0.7, 1], `${id}: Jain's index`);
        for (const flow of details.flows) {
          const rttMs = 30 + (metrics.queueMs ?? Number.NaN);
          assertWithin(flow.rttMs ?? 0, [rttMs - 15, rttMs + 15], `${flow.flow}: round trip`);
          assert.ok((flow.retransmitted ?? 0) > 0, `${flow.flow}: nothing was sent again`);
        }
      }
      // One measurement makes the rows of a block.
      const blocks = Map.groupBy(rows, ({ subject, block }) => `${subject} ${block}`);
      for (const [key, own] of blocks) {
        assert.equal(new Set(own.map(({ details }) => details?.measuredBy)).size, 1, key);
        const details = own[0]?.details ?? assert.fail(key);
        const flows = own.flatMap((row) => row.details?.flows ?? []);
        // A machine that is busy for a moment leaves capacity unused in some seconds, not in most.
        const kbps = median(secondsKbps(details, flows)) ?? 0;
        assertWithin(kbps, [9_000, 10_000], `${key}: goodput of all flows in most seconds`);
        const bodyBytes = flows
          .flatMap(({ stepBytes }) => stepBytes)
          .reduce((sum, each) => sum + each);
        const carried = (details.path?.toClient.bytes ?? 0) / bodyBytes;
        assertWithin(carried, [1514 / 1448, 1.2], `${key}: what went over the link, in bodies`);
      }
    },
  ));

/** More than a second of the bottleneck: flows are in progress. */
const UNDER_WAY_BYTES = 1_500_000;

/** The servers during the first flows, however long the clients take to begin. */
async function serversAtWork(command: Command): Promise<RunProcess[]> {
  const { pid } = command.child;
  assert.ok(pid);
  let before: number | null = null;
  for (;;) {
    const all = processesFrom(pid);
    const servers = serversOf(all, pid);
    const [first] = servers;
    if (first && all.some((each) => /transfer-program/.test(each.command))) {
      const sent = sentBytes(first.pid);
      before ??= sent;
      if (sent - before > UNDER_WAY_BYTES) return servers;
    }
    assert.equal(command.child.exitCode, null, command.output());
    await sleep(100);
  }
}

for (const [signal, code] of [
  ['SIGKILL', 'server-failed'],
  ['SIGSTOP', 'stalled'],
] as const) {
  test(`a flow whose server gets ${signal} fails its row, makes the rest of its trial invalid, and the run continues`, () =>
    withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'run');
      const command = startMeasuring(
        `${BOTTLENECK.join(' ')} --flows lsquic-h3:1,bun-h2:1 --duration 7 --repetitions 2`,
        out,
      );
      const servers = await serversAtWork(command);
      signalAll(
        // The kernel continues to send what a TCP server has written.
        servers.filter((each) => /servers\/lsquic-h3\//.test(each.command)),
        signal,
      );
      assert.equal(await command.ended, 6, command.output());
      await assertNoProcessLeft(command);
      const rows = await readShared(out);
      const found = rows.map((row) => {
        const result = row.block === 2 && isSpoilt(row) ? ['ok', null] : [row.outcome, row.code];
        return [row.block, row.arm, ...result];
      });
      assert.deepEqual(found.toSorted(), [
        [1, 'bun-h2', 'invalid', 'not-together'],
        [1, 'lsquic-h3', 'failed', code],
        [2, 'bun-h2', 'ok', null],
        [2, 'lsquic-h3', 'ok', null],
      ]);
      for (const { block, metrics } of rows) {
        assert.equal(metrics.goodputKbps != null, block === 2);
      }
    }));
}
