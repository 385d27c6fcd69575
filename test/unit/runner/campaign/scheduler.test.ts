import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trial } from '../../../../ground/records/run.ts';
import {
  atIntervals,
  createScheduler,
  type Work,
  withinBudget,
  workOf,
} from '../../../../runner/campaign/scheduler.ts';
import { BLOCKS, TRIALS } from './three-blocks.ts';

/** Work that records the blocks reported as done. */
function noted(): { work: Work; done: string[] } {
  const done: string[] = [];
  const work = workOf(BLOCKS);
  return { work: { ...work, done: async ({ key }) => void done.push(key) }, done };
}

async function nextOf(scheduler: ReturnType<typeof createScheduler>): Promise<Trial> {
  const trial = await scheduler.next();
  assert.ok(trial);
  return trial;
}

test('offers loads one by one in order, and completes a block when the last of its rows is written', async () => {
  const { work, done } = noted();
  const scheduler = createScheduler(work);
  for (const [index, planned] of TRIALS.entries()) {
    const trial = await nextOf(scheduler);
    assert.equal(trial.id, planned.id);
    scheduler.begin(trial);
    assert.equal(done.length, Math.floor(index / 2));
    await scheduler.ended(trial);
    assert.equal(done.length, Math.floor((index + 1) / 2));
  }
  assert.equal(await scheduler.next(), null);
  assert.deepEqual(
    done,
    BLOCKS.map(({ key }) => key),
  );
});

test('offers the same load until it is begun', async () => {
  const scheduler = createScheduler(noted().work);
  const first = await nextOf(scheduler);
  assert.equal(await scheduler.next(), first);
  scheduler.begin(first);
  assert.notEqual(await scheduler.next(), first);
});

test('offers a begun load without a row once more, and not one with a row', async () => {
  const scheduler = createScheduler(noted().work);
  const first = await nextOf(scheduler);
  scheduler.begin(first);
  const second = await nextOf(scheduler);
  scheduler.begin(second);
  const third = await nextOf(scheduler);
  scheduler.begin(third);
  await scheduler.ended(first);
  scheduler.startOver();
  for (const expected of [second, third]) {
    const trial = await nextOf(scheduler);
    assert.equal(trial, expected);
    scheduler.begin(trial);
  }
  assert.equal((await nextOf(scheduler)).id, TRIALS[3]?.id);
});

test('expects a load until its row is written', async () => {
  const scheduler = createScheduler(noted().work);
  for (const { id } of TRIALS) assert.ok(scheduler.expects(id), id);
  for (const { id } of TRIALS) {
    const trial = await nextOf(scheduler);
    scheduler.begin(trial);
    assert.ok(scheduler.expects(id), 'it is at work');
    await scheduler.ended(trial);
    assert.ok(!scheduler.expects(id));
  }
  assert.ok(!scheduler.expects('nothing of this plan'));
});

test('begins none any more when none is allowed, even in an open block', async () => {
  let mayBegin = true;
  const { work, done } = noted();
  const scheduler = createScheduler(work, { mayBegin: () => mayBegin });
  const first = await nextOf(scheduler);
  scheduler.begin(first);
  mayBegin = false;
  assert.equal(await scheduler.next(), null);
  await scheduler.ended(first);
  assert.deepEqual(done, [], 'the block is not whole');
});

test('ignores a warm-up outside the work', async () => {
  const { work, done } = noted();
  const scheduler = createScheduler(work);
  const first = await nextOf(scheduler);
  await scheduler.ended({ ...first, id: `${first.id}@again.1` });
  assert.equal(await scheduler.next(), first);
  assert.deepEqual(done, []);
});

test('finishes open blocks and begins no other one when the budget is used up', async () => {
  let nowMs = 1000;
  const { work, done } = noted();
  const scheduler = createScheduler(withinBudget(work, 500, () => nowMs));
  const first = await nextOf(scheduler);
  scheduler.begin(first);
  nowMs = 1500;
  const second = await nextOf(scheduler);
  scheduler.begin(second);
  assert.equal(await scheduler.next(), null);
  for (const trial of [first, second]) await scheduler.ended(trial);
  assert.deepEqual(done, [BLOCKS[0]?.key]);
});

test('postpones loads of a paused cell, and reports them', async () => {
  let resting = 'lsquic-h3';
  const scheduler = createScheduler(noted().work, { isPaused: ({ arm }) => arm === resting });
  const made: Trial[] = [];
  for (let trial = await scheduler.next(); trial; trial = await scheduler.next()) {
    scheduler.begin(trial);
    await scheduler.ended(trial);
    made.push(trial);
  }
  assert.deepEqual(
    made,
    TRIALS.filter(({ arm }) => arm === 'bun-h2'),
  );
  const left = TRIALS.filter(({ arm }) => arm === 'lsquic-h3');
  assert.deepEqual(scheduler.paused(), left);
  resting = 'none';
  assert.equal(await scheduler.next(), left[0]);
  assert.deepEqual(scheduler.paused(), []);
});

test('waits for the time of a round, and begins none once the run has to end', async () => {
  const at = performance.now();
  const paced = atIntervals(workOf(BLOCKS), 30, new AbortController().signal);
  for (const block of BLOCKS) assert.equal(await paced.next(), block);
  assert.equal(await paced.next(), null);
  assert.ok(performance.now() - at >= 30 * (BLOCKS.length - 1) - 1);
  const ends = new AbortController();
  const hourly = atIntervals(workOf(BLOCKS), 3_600_000, ends.signal);
  assert.equal(await hourly.next(), BLOCKS[0]);
  const waiting = hourly.next();
  ends.abort();
  assert.equal(await waiting, null);
});
