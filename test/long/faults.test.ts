import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readMachine } from '../../runner/machine.ts';
import { type Command, startBenchmark, startMeasuring } from '../e2e/command.ts';
import { assertNoProcessLeft, temporaryFoldersOf } from '../e2e/left-behind.ts';
import { browserAtWork, processesFrom, renderersOf, signalAll } from '../e2e/run-processes.ts';
import { assertWhole } from '../e2e/whole-run.ts';
import { type FaultTally, faultsTable, injectFault } from './faults/fault-injection.ts';
import { Follower } from './faults/follower.ts';
import { FAULT_KINDS, type FaultTarget } from './faults/kinds.ts';
import { canLimitMemory } from './faults/memory.ts';
import { withSmallDisk } from './faults/small-disk.ts';
import { type Choices, choicesOf } from './fuzz-importers/random.ts';

const SEED = Number(process.env.FAULTS_SEED ?? 1);
/** Number of loads that each kind has to affect. */
const TIMES = Number(process.env.FAULTS_TIMES ?? 3);
/** Names of kinds, or their beginnings; absent: all. */
const ONLY = process.env.FAULTS_ONLY?.split(',');
const REPETITIONS = Number(process.env.FAULTS_REPETITIONS ?? 101);

/** Six requests to one host: long enough to be hit halfway, and soon over. */
const SITE = 'www.wikipedia.org';
const STACKS = ['lsquic-h3', 'bun-h2'];
const LOADS = STACKS.length * REPETITIONS;
const DISK_MB = 96;
const LEAST_OK = 2;

const kinds = FAULT_KINDS.filter(
  ({ name }) => ONLY?.some((beginning) => name.startsWith(beginning)) ?? true,
);

test(`completes a run of ${LOADS} loads with a fault every few loads, with a row of every load and nothing left over`, async (t) => {
  const choices = choicesOf(SEED, 0);
  t.diagnostic(
    `seed ${SEED}; memory ${canLimitMemory() ? 'limited by a control group' : 'cannot be limited here: SIGKILL in place of the OOM killer'}`,
  );
  await withSmallDisk(DISK_MB, async (disk) => {
    const out = path.join(disk, 'run');
    const command = startMeasuring(
      `benchmark --sites ${SITE} --stacks ${STACKS} --rtt 0
        --repetitions ${REPETITIONS} --timeout 5 --stop-after 20 --progress jsonl`,
      out,
    );
    const strikes: FaultTally[] = kinds.map((kind) => ({
      kind,
      met: 0,
      missed: 0,
      codes: new Map(),
    }));
    const follower = new Follower(command, out);
    const victim = victimOf(command, out, choices);
    try {
      const order = shuffled(Array.from({ length: TIMES }, () => strikes).flat(), choices);
      for (const [index, next] of order.entries()) {
        const loadsEach = (LOADS - follower.plannedLoads) / (order.length - index);
        // Loads are ok again before the next fault comes; enough for faults throughout the run.
        const okInRow = LEAST_OK + choices.number(Math.max(1, Math.floor(loadsEach - LEAST_OK)));
        assert.ok(await follower.okInRow(okInRow), 'the run ended too early');
        await injectFault(next, { follower, victim, choices });
      }
      assert.equal(await command.ended, 6);
    } catch (error) {
      t.diagnostic(command.output().slice(-4000));
      throw error;
    } finally {
      command.child.kill('SIGKILL');
      await command.ended;
      const table = faultsTable(strikes);
      t.diagnostic(`\n${table}`);
      if (process.env.FAULTS_REPORT) await writeFile(process.env.FAULTS_REPORT, `${table}\n`);
    }
    for (const { kind, met } of strikes) assert.equal(met, TIMES, kind.name);
    await assertNoProcessLeft(command);
    assert.deepEqual(temporaryFoldersOf(command.child.pid), []);
    await assertWhole(
      out,
      LOADS,
      FAULT_KINDS.flatMap(({ codes }) => codes),
    );
  });
});

test('stops with the reason after 5 equal failures in a row, and completes the run when resumed', () =>
  withSmallDisk(DISK_MB, async (disk) => {
    const out = path.join(disk, 'run');
    const command = startMeasuring(
      `benchmark --sites ${SITE} --stacks bun-h2 --rtt 0 --repetitions 6
        --progress jsonl`,
      out,
    );
    const follower = new Follower(command, out);
    await follower.load(0);
    // Every page of this run crashes from now on.
    while (await follower.request()) {
      const browser = browserAtWork(processesFrom(command.child.pid ?? 0));
      signalAll(renderersOf(browser), 'SIGKILL');
    }
    assert.equal(await command.ended, 6, command.output());
    assert.match(command.output(), /5 attempts in a row failed in the same way \(page-crashed\)/);
    assert.match(command.output(), /--resume/);
    await assertNoProcessLeft(command);
    const again = startBenchmark(['--resume', out]);
    assert.equal(await again.ended, 0, again.output());
    await assertNoProcessLeft(again);
    await assertWhole(out, 6, ['page-crashed']);
  }));

test('stops on a disk that stays full, with every line whole, and completes the run when resumed with room', () =>
  withSmallDisk(DISK_MB, async (disk) => {
    const out = path.join(disk, 'run');
    const command = startMeasuring(
      `benchmark --sites ${SITE} --stacks bun-h2 --rtt 0 --repetitions 12
        --progress jsonl`,
      out,
    );
    const follower = new Follower(command, out);
    await follower.load(2);
    const full = FAULT_KINDS.find(({ name }) => name === 'the disk is full');
    const heal = await full?.inject(victimOf(command, out, choicesOf(SEED, 1)));
    assert.ok(heal);
    const status = await command.ended;
    assert.ok(status === 3 || status === 6, command.output());
    assert.match(command.output(), /no space left on device/);
    assert.match(command.output(), /--resume/);
    await assertNoProcessLeft(command);
    await heal();
    const again = startBenchmark(['--resume', out]);
    assert.equal(await again.ended, 0, again.output());
    await assertNoProcessLeft(again);
    await assertWhole(out, 12, full?.codes);
  }));

function victimOf(command: Command, out: string, { number }: Choices): FaultTarget {
  return { pid: command.child.pid ?? 0, out, python: readMachine().python, number };
}

function shuffled<T>(items: readonly T[], choices: Choices): T[] {
  const left = [...items];
  return items.map(() => left.splice(choices.number(left.length), 1)[0] as T);
}
