import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Block } from '../../../../runner/campaign/block.ts';
import { createScheduler } from '../../../../runner/campaign/scheduler.ts';
import type { BlockCounts, TakenBlock } from '../../../../runner/queue/block-queue.ts';
import { withFirstBlock, workOfQueue } from '../../../../runner/queue/worker.ts';
import { assertEach } from '../../assert-each.ts';
import { BLOCKS, TRIALS } from '../campaign/three-blocks.ts';

/** A queue with these waiting blocks, and a log of messages and calls. */
function queueOf(waiting: { key: string; attempt: number }[], held: number = 0) {
  const finished: string[] = [];
  const messages: string[] = [];
  const counts: BlockCounts = { waiting: waiting.length, taken: held, finished: 0, givenUp: 0 };
  return {
    finished,
    told: messages,
    waiting,
    counts,
    queue: {
      async take(): Promise<TakenBlock | null> {
        const next = waiting.shift();
        if (!next) return null;
        counts.waiting--;
        counts.taken++;
        return {
          ...next,
          async finish() {
            finished.push(next.key);
            counts.taken--;
            counts.finished++;
            return next.attempt < 9;
          },
          giveBack: async () => {},
        };
      },
      counts: async () => ({ ...counts }),
    },
    tells: {
      waiting: () => void messages.push('waiting'),
      lost: () => void messages.push('lost'),
    },
  };
}

function workOf(
  { queue, tells }: ReturnType<typeof queueOf>,
  { done = [], end = new AbortController().signal }: { done?: string[]; end?: AbortSignal } = {},
) {
  const taken = new Map<Block, TakenBlock>();
  return {
    taken,
    work: workOfQueue({ queue, output: tells, blocks: BLOCKS, taken, done: new Set(done), end }),
  };
}

const KEYS = ['a.example/none/cold/0', 'a.example/none/cold/1', 'a.example/none/cold/2'];

test('makes all loads of its blocks, reports them to the queue, and ends when nothing is left', async () => {
  const queued = queueOf(KEYS.map((key) => ({ key, attempt: 1 })));
  const { work, taken } = workOf(queued);
  const scheduler = createScheduler(work);
  const made: string[] = [];
  for (let trial = await scheduler.next(); trial; trial = await scheduler.next()) {
    scheduler.begin(trial);
    made.push(trial.id);
    await scheduler.ended(trial);
  }
  assert.deepEqual(
    made,
    TRIALS.map(({ id }) => id),
  );
  assert.deepEqual(queued.finished, KEYS);
  assert.equal(taken.size, 0);
  assert.deepEqual(queued.told, []);
});

test('loads a returned block under its own ids', async () => {
  const { work } = workOf(queueOf([{ key: KEYS[1] ?? '', attempt: 2 }]));
  const block = await work.next();
  assert.deepEqual(block?.trials.map(({ id }) => id).sort(), [
    'a.example.none.bun-h2.1~2',
    'a.example.none.lsquic-h3.1~2',
  ]);
});

test('omits what it made before when it continues', async () => {
  const queued = queueOf([
    { key: KEYS[1] ?? '', attempt: 1 },
    { key: KEYS[2] ?? '', attempt: 1 },
  ]);
  const done = [
    'a.example.none.bun-h2.1',
    'a.example.none.lsquic-h3.1',
    'a.example.none.lsquic-h3.2',
  ];
  const { work } = workOf(queued, { done });
  const block = await work.next();
  assertEach(block?.trials, ({ id }) => id, ['a.example.none.bun-h2.2']);
  assert.deepEqual(queued.finished, [KEYS[1]]);
});

test('waits for blocks that other workers hold, prints it once, and takes what comes back', async () => {
  const queued = queueOf([], 1);
  const { work } = workOf(queued);
  const next = work.next();
  await delay(1500);
  queued.counts.taken = 0;
  queued.counts.waiting = 1;
  queued.waiting.push({ key: KEYS[2] ?? '', attempt: 2 });
  assert.equal((await next)?.key, KEYS[2]);
  assert.deepEqual(queued.told, ['waiting']);
});

test('takes nothing and does not wait when it is stopped', async () => {
  const ending = new AbortController();
  const queued = queueOf([], 1);
  const next = workOf(queued, { end: ending.signal }).work.next();
  await delay(50);
  ending.abort();
  assert.equal(await next, null);
  const full = queueOf([{ key: KEYS[0] ?? '', attempt: 1 }]);
  assert.equal(await workOf(full, { end: ending.signal }).work.next(), null);
  assert.equal(full.waiting.length, 1);
});

test('reports a block that was given to another worker meanwhile', async () => {
  const queued = queueOf([{ key: KEYS[0] ?? '', attempt: 9 }]);
  const { work } = workOf(queued);
  const block = await work.next();
  assert.ok(block);
  await work.done(block);
  assert.deepEqual(queued.told, ['lost']);
});

test('reports a block that is not in the plan as a fault of the queue, not of the program', async () => {
  const { work } = workOf(queueOf([{ key: 'nobody knows it', attempt: 1 }]));
  await assert.rejects(work.next(), { name: 'QueueError', message: /nobody knows it/ });
});

test('begins with the block that was taken to test for work', async () => {
  const { work } = workOf(queueOf(KEYS.map((key) => ({ key, attempt: 1 }))));
  const first = await work.next();
  assert.ok(first);
  const begun = withFirstBlock(first, work);
  const keys = [];
  for (let block = await begun.next(); block; block = await begun.next()) {
    keys.push(block.key);
    await begun.done(block);
  }
  assert.deepEqual(keys, KEYS);
});
