import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTreeOf } from '../../../../ground/host/process-tree.ts';
import { readProcesses } from '../../../../ground/host/processes.ts';
import { readObservations } from '../../../../ground/records/read.ts';
import { readIfThere } from '../../../../ground/system/read-if-there.ts';
import { type Command, startMeasuring, startProgram } from '../../../../test/e2e/command.ts';
import { assertNoProcessLeft } from '../../../../test/e2e/left-behind.ts';
import { sentBytes } from '../../../../test/e2e/processes.ts';
import { processesFrom, serversOf } from '../../../../test/e2e/run-processes.ts';
import { assertStatusOf } from '../../../../test/e2e/whole-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { transfer } from '../../experiment.ts';
import type { TransferDetails } from '../../records.ts';

const BYTES = 1_000_000;

function startRun(out: string, stacks: string, repetitions: number): Command {
  return startMeasuring(
    `transfer --stacks ${stacks} --size 1MB --rtt 60 --stream-window 64kB
        --repetitions ${repetitions} --explain`,
    out,
  );
}

test('keeps a transfer whose client ends during its explanation, and warms up a new client', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startRun(out, 'bun-h2', 2);
    await rowsOf(out, 1, command);
    await halfExplained(command);
    assert.equal(clientsOf(command).map((pid) => process.kill(pid, 'SIGKILL')).length, 1);
    const status = await command.ended;
    assert.match(command.output(), /The limit of .* is not explained/);
    const { observations } = await readObservations(out, transfer);
    assertStatusOf(observations, status, command.output());
    assert.deepEqual(
      observations.map(({ warmup }) => (warmup ? 'warm-up' : 'counted')),
      ['warm-up', 'counted', 'warm-up', 'counted'],
    );
    await assertNoProcessLeft(command);
  }));

test('does not repeat explanations in a resumed run', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const first = startRun(out, 'bun-h2', 8);
    await rowsOf(out, 2, first);
    first.child.kill('SIGINT');
    await first.ended;
    const second = startProgram(['transfer', '--resume', out]);
    const status = await second.ended;
    const { observations } = await readObservations(out, transfer);
    const resumed = observations.filter(
      ({ invocation }) => invocation !== observations[0]?.invocation,
    );
    assertStatusOf(resumed, status, second.output());
    const counted = observations.filter(({ warmup }) => !warmup);
    const [, later] = Map.groupBy(counted, ({ invocation }) => invocation).values();
    assert.ok(later, first.output());
    const isExplained = ({ details }: { details: unknown }) =>
      (details as TransferDetails | null)?.explains !== undefined;
    assert.equal(counted.filter(isExplained).length, 1);
    assert.equal(later.filter(isExplained).length, 0);
  }));

/**
 * Resolves when the first counted transfer is over and half of it has gone over the path again, as
 * in its explanation.
 */
async function halfExplained({ child, output }: Command): Promise<void> {
  const { pid = 0 } = child;
  const [server] = serversOf(processesFrom(pid), pid);
  assert.ok(server);
  const before = sentBytes(server.pid);
  while (sentBytes(server.pid) - before < 1.5 * BYTES) {
    assert.equal(child.exitCode, null, output());
    await sleep(20);
  }
}

/** Resolves when a run has this number of rows. */
async function rowsOf(out: string, rows: number, { child, output }: Command): Promise<void> {
  const file = path.join(out, 'transfers.jsonl');
  while ((readIfThere(file) ?? '').split('\n').length <= rows) {
    assert.equal(child.exitCode, null, output());
    await sleep(20);
  }
}

/** The programs of a run that transfer. */
function clientsOf({ child }: Command): number[] {
  const own = processTreeOf(readProcesses(), child.pid ?? 0);
  return [...own].filter((pid) =>
    readIfThere(`/proc/${pid}/cmdline`)?.includes('transfer-program.ts'),
  );
}
