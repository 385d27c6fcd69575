import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import { blocksOf } from '../../../../runner/campaign/block.ts';
import { countFaults, FaultsError } from '../../../../runner/campaign/faults.ts';
import { openInvocation } from '../../../../runner/campaign/open-invocation.ts';
import type { PreparedRun } from '../../../../runner/campaign/prepare.ts';
import { workOf } from '../../../../runner/campaign/scheduler.ts';
import { keptFiles } from '../../../../runner/kept-files.ts';
import type { Results } from '../../../../runner/results.ts';
import type { TestBed } from '../../../../runner/test-bed.ts';
import { fixtureRun } from '../../report/fixture-run.ts';
import { NEVER } from '../example-run.ts';

const { run, observations, invocations } = fixtureRun({ repetitions: 2 });
const [INVOCATION] = invocations;

function opened({
  rowsBefore = 0,
  loadsBefore = [] as Observation[],
  keepsLoads = false,
  stopAfter = 5,
  append = async (_: Observation) => {},
} = {}) {
  assert.ok(INVOCATION);
  return openInvocation(INVOCATION, {
    run: {
      record: { ...run, ...(keepsLoads && { stopping: {} }) },
      resumed: { done: { rows: rowsBefore }, observations: loadsBefore },
    } as unknown as PreparedRun,
    testBed: {} as TestBed,
    stop: NEVER,
    results: { append } as unknown as Results,
    kept: keptFiles('/nowhere', run),
    progress: { started() {}, ended() {}, pathLate() {}, warn() {}, close() {} },
    work: workOf(blocksOf(run.trials, 'shuffled')),
    faults: countFaults(stopAfter, run.trials),
  });
}

function loadOf(index: number, order = 1): Observation {
  const found = observations.find(({ id }) => id === run.trials[index]?.id);
  assert.ok(found);
  return { ...found, order };
}

test('numbers rows on from earlier invocations, and does not count warm-ups by outcome', async () => {
  const rows: Observation[] = [];
  const invocation = opened({ rowsBefore: 40, append: async (load) => void rows.push(load) });
  const warmUps = run.trials.filter(
    ({ warmup, subject }) => warmup && subject === run.trials[0]?.subject,
  );
  for (let index = 0; index <= warmUps.length; index++) {
    const trial = await invocation.scheduler.next();
    assert.ok(trial);
    invocation.scheduler.begin(trial);
    const { order: _, ...load } = loadOf(index);
    const row = invocation.rowOf(trial, { ...load, startedAt: new Date() });
    await invocation.write(trial, row);
  }
  assert.deepEqual(
    rows.map(({ order }) => order),
    rows.map((_, index) => 41 + index),
  );
  assert.deepEqual(invocation.tally.measured, { ok: 1, failed: 0, invalid: 0, unsupported: 0 });
});

test('still has to make a load whose row could not be written', async () => {
  const orders: number[] = [];
  const append = async ({ order }: Observation) => {
    orders.push(order);
    throw new Error('full');
  };
  const invocation = opened({ append });
  const trial = await invocation.scheduler.next();
  assert.ok(trial);
  invocation.scheduler.begin(trial);
  await assert.rejects(invocation.write(trial, loadOf(0)), /full/);
  invocation.scheduler.startOver();
  assert.equal(await invocation.scheduler.next(), trial);
  await assert.rejects(invocation.write(trial, loadOf(0)), /full/);
  assert.deepEqual(orders, [1, 1]);
});

test('writes the row of the failure that ends the invocation', async () => {
  const rows: Observation[] = [];
  const invocation = opened({ stopAfter: 1, append: async (load) => void rows.push(load) });
  const trial = await invocation.scheduler.next();
  assert.ok(trial);
  const failed = { ...loadOf(0), outcome: 'failed', code: 'timeout', message: 'x' } as const;
  await assert.rejects(invocation.write(trial, failed), FaultsError);
  assert.equal(rows.length, 1);
});

test('keeps the stack of a repeated warm-up, uses the network of the next loads, and gives it an id of its own', () => {
  const invocation = opened();
  const warmUp = run.trials.find((trial) => trial.warmup);
  const next = run.trials.findLast(({ subject }) => subject === warmUp?.subject);
  assert.ok(warmUp && next);
  const again = [1, 2].map(() => invocation.warmUpAgain(warmUp, next));
  assert.deepEqual(
    again.map(({ id }) => id),
    [`${warmUp.id}@${INVOCATION?.id}.1`, `${warmUp.id}@${INVOCATION?.id}.2`],
  );
  for (const { arm, warmup, network, networkSeed } of again) {
    assert.deepEqual(
      { arm, warmup, network, networkSeed },
      {
        arm: warmUp.arm,
        warmup: true,
        network: next.network,
        networkSeed: next.networkSeed,
      },
    );
  }
});

test('counts an invocation as working only by loads that went over the path', async () => {
  const invocation = opened();
  const trial = await invocation.scheduler.next();
  assert.ok(trial);
  await invocation.write(trial, { ...loadOf(0), path: null });
  assert.equal(invocation.hasMade(), false);
  await invocation.write(trial, loadOf(0));
  assert.equal(invocation.hasMade(), true);
});

test('keeps the loads of a run with looks in memory, earlier invocations first, and not without looks', async () => {
  const [earlier] = observations;
  assert.ok(earlier);
  const ordersOf = async (keepsLoads: boolean) => {
    const invocation = opened({ rowsBefore: 1, loadsBefore: [earlier], keepsLoads });
    const trial = await invocation.scheduler.next();
    assert.ok(trial);
    await invocation.write(trial, loadOf(0, 2));
    return invocation.observations.map(({ order }) => order);
  };
  assert.deepEqual(await ordersOf(true), [earlier.order, 2]);
  assert.deepEqual(await ordersOf(false), [earlier.order]);
});

test('does not look at a load whose row could not be written', async () => {
  const invocation = opened({ keepsLoads: true, append: () => Promise.reject(new Error('full')) });
  const trial = await invocation.scheduler.next();
  assert.ok(trial);
  await assert.rejects(invocation.write(trial, loadOf(0)), /full/);
  assert.deepEqual(invocation.observations, []);
});
