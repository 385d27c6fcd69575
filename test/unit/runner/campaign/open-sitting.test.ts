import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../records/page-load.ts';
import { workOf } from '../../../../runner/campaign/agenda.ts';
import { blocksOf } from '../../../../runner/campaign/block.ts';
import { FaultsError } from '../../../../runner/campaign/faults.ts';
import { OpenSitting } from '../../../../runner/campaign/open-sitting.ts';
import { KeptHars } from '../../../../runner/hars.ts';
import type { UnnumberedLoad } from '../../../../runner/load/load.ts';
import type { Results } from '../../../../runner/results.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

const { run, pageLoads, sittings } = fixtureRun({ repetitions: 2 });
const [SITTING] = sittings;

function opened({
  rowsBefore = 0,
  loadsBefore = [] as PageLoad[],
  keepsLoads = false,
  stopAfter = 5,
  append = async (_: PageLoad) => {},
} = {}) {
  assert.ok(SITTING);
  return new OpenSitting(
    SITTING,
    {
      results: { append } as unknown as Results,
      hars: new KeptHars('/nowhere', run),
      progress: { started() {}, ended() {}, pathLate() {}, close() {} },
      work: workOf(blocksOf(run.trials, 'shuffled')),
    },
    { rowsBefore, loadsBefore, keepsLoads, stopAfter, mayBegin: () => true },
  );
}

function loadOf(index: number): UnnumberedLoad {
  const found = pageLoads.find(({ id }) => id === run.trials[index]?.id);
  assert.ok(found);
  const { order: _, ...load } = found;
  return load;
}

test('rows are numbered on from those of earlier sittings, warm-ups are not counted by outcome', async () => {
  const rows: PageLoad[] = [];
  const sitting = opened({ rowsBefore: 40, append: async (load) => void rows.push(load) });
  const warmUps = run.trials.filter(({ warmup, site }) => warmup && site === run.trials[0]?.site);
  for (let index = 0; index <= warmUps.length; index++) {
    const trial = await sitting.agenda.next();
    assert.ok(trial);
    sitting.agenda.begin(trial);
    await sitting.write(trial, loadOf(index));
  }
  assert.deepEqual(
    rows.map(({ order }) => order),
    rows.map((_, index) => 41 + index),
  );
  assert.deepEqual(sitting.tally, { ok: 1, failed: 0, invalid: 0 });
});

test('a load whose row could not be written is still to be made', async () => {
  const sitting = opened({ append: () => Promise.reject(new Error('full')) });
  const trial = await sitting.agenda.next();
  assert.ok(trial);
  sitting.agenda.begin(trial);
  await assert.rejects(sitting.write(trial, loadOf(0)), /full/);
  sitting.agenda.startOver();
  assert.equal(await sitting.agenda.next(), trial);
  assert.equal(sitting.nextOrder, 1);
});

test('the row that is one failure too many is written before the sitting ends', async () => {
  const rows: PageLoad[] = [];
  const sitting = opened({ stopAfter: 1, append: async (load) => void rows.push(load) });
  const trial = await sitting.agenda.next();
  assert.ok(trial);
  const failed = { ...loadOf(0), outcome: 'failed', code: 'timeout', message: 'x' } as const;
  await assert.rejects(sitting.write(trial, failed), FaultsError);
  assert.equal(rows.length, 1);
});

test('a warm-up made again keeps its stack, meets the network of the loads to come, and has an id of its own', () => {
  const sitting = opened();
  const warmUp = run.trials.find((trial) => trial.warmup);
  const next = run.trials.findLast(({ site }) => site === warmUp?.site);
  assert.ok(warmUp && next);
  const again = [1, 2].map(() => sitting.warmUpAgain(warmUp, next));
  assert.deepEqual(
    again.map(({ id }) => id),
    [`${warmUp.id}@${SITTING?.id}.1`, `${warmUp.id}@${SITTING?.id}.2`],
  );
  for (const { stack, warmup, network, networkSeed } of again) {
    assert.deepEqual(
      { stack, warmup, network, networkSeed },
      {
        ...{ stack: warmUp.stack, warmup: true },
        ...{ network: next.network, networkSeed: next.networkSeed },
      },
    );
  }
});

test('only loads that went over the path tell that a sitting works', async () => {
  const sitting = opened();
  const trial = await sitting.agenda.next();
  assert.ok(trial);
  await sitting.write(trial, { ...loadOf(0), path: null });
  assert.equal(sitting.hasMade, false);
  await sitting.write(trial, loadOf(0));
  assert.equal(sitting.hasMade, true);
});

test('a run that is looked at has its loads at hand, those of earlier sittings first; others do not', async () => {
  const [earlier] = pageLoads;
  assert.ok(earlier);
  const ordersOf = async (keepsLoads: boolean) => {
    const sitting = opened({ rowsBefore: 1, loadsBefore: [earlier], keepsLoads });
    const trial = await sitting.agenda.next();
    assert.ok(trial);
    await sitting.write(trial, loadOf(0));
    return sitting.pageLoads.map(({ order }) => order);
  };
  assert.deepEqual(await ordersOf(true), [earlier.order, 2]);
  assert.deepEqual(await ordersOf(false), [earlier.order]);
});

test('a load whose row could not be written is not looked at', async () => {
  const sitting = opened({ keepsLoads: true, append: () => Promise.reject(new Error('full')) });
  const trial = await sitting.agenda.next();
  assert.ok(trial);
  await assert.rejects(sitting.write(trial, loadOf(0)), /full/);
  assert.deepEqual(sitting.pageLoads, []);
});
