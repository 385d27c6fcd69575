import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { mean } from '../../../../statistics/mean.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { assertNoProcessLeft } from '../../../../test/e2e/left-behind.ts';
import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Flow } from '../../records.ts';
import { assertWithin, BOTTLENECK, readShared, type SharedRow } from '../e2e/sharing.ts';

const CONTROL = '2-bun-h2';
const ONE_AGAINST_THREE = `1-bun-h2+3-${HTTP1.stack}`;

/** The flows of a mix, of all repetitions. */
function flowsOf(rows: readonly SharedRow[], subject: string): Flow[] {
  return rows.flatMap((row) => (row.subject === subject ? (row.details?.flows ?? []) : []));
}

function meanShare(flows: readonly Flow[], name: string): number {
  const own = flows.filter(({ flow }) => flow === name);
  return mean(own.flatMap(({ sharePercent }) => sharePercent ?? [])) ?? Number.NaN;
}

test('gives equal flows over one bottleneck equal parts of all of it', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...BOTTLENECK,
      ...['--flows', `bun-h2:2/bun-h2:1,${HTTP1.stack}:3`, '--duration', '10'],
      ...['--repetitions', '4', '--seed', '1', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    await assertNoProcessLeft(command);
    const rows = await readShared(out);
    // A quarter of a minute is short for Cubic: the full numbers come from a benchmark.
    const control = flowsOf(rows, CONTROL);
    assertWithin(meanShare(control, 'bun-h2.1'), [35, 65], 'the share of one of two equal flows');
    const quarter = meanShare(flowsOf(rows, ONE_AGAINST_THREE), 'bun-h2.1');
    assertWithin(quarter, [14, 36], 'the share of one against three equal flows');
  }));

test('divides independently of the starting order', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...BOTTLENECK,
      ...['--start-gap', '1', '--duration', '8', '--repetitions', '4', '--out', out],
    ]);
    assert.equal(await command.ended, 0, command.output());
    const rows = (await readShared(out)).filter(({ arm }) => arm === 'lsquic-h3');
    const flows = rows.flatMap(({ details }) => details?.flows ?? []);
    const byOrder = Map.groupBy(flows, ({ startOrder }) => startOrder);
    // Two of four blocks begin with each.
    assert.deepEqual([byOrder.get(1)?.length, byOrder.get(2)?.length], [2, 2]);
    for (const [order, own] of byOrder) {
      const share = mean(own.flatMap(({ sharePercent }) => sharePercent ?? [])) ?? Number.NaN;
      assert.ok(share > 50, `lsquic begins as number ${order} and gets ${share} %`);
    }
    for (const { startOrder, beganMs } of flows) {
      assertWithin(beganMs ?? -1, startOrder === 1 ? [0, 0] : [800, 1_500], 'when a flow began');
    }
    for (const { rttMs, retransmitted } of flows) {
      assertWithin(rttMs ?? 0, [31, 90], 'the round trip that lsquic reports');
      assert.ok((retransmitted ?? 0) > 0, 'lsquic lost nothing over a full queue');
    }
    for (const { details } of rows) {
      assert.ok(details?.countedMs);
      // The duration less the second in which flows settle.
      assertWithin(details.countedMs, [6_700, 7_100], 'the time counted');
    }
  }));
