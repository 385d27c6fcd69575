import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BlockQueue,
  openBlockQueue,
  type TakenBlock,
} from '../../runner/queue/block-queue.ts';
import { connectRedis, QueueError, type RedisConnection } from '../../runner/queue/redis.ts';
import { withRedis } from './queue/redis-server.ts';

const KEYS = ['a/none/cold/0', 'a/none/cold/1', 'b/none/cold/0', 'b/none/cold/1'];
const QUICK = { lockMs: 3000, renewMs: 300, lookMs: 500 };

/** Provides workers' ends of one queue. */
async function withQueues(
  url: string,
  count: number,
  act: (queues: BlockQueue[], connections: RedisConnection[]) => Promise<void>,
  keys = KEYS,
): Promise<void> {
  const connections: RedisConnection[] = [];
  const queues: BlockQueue[] = [];
  try {
    for (let at = 0; at < count; at++) connections.push(await connectRedis(url));
    // All at the same time, as workers that are started together.
    queues.push(
      ...(await Promise.all(connections.map((each) => openBlockQueue(each, 'plan', keys, QUICK)))),
    );
    await act(queues, connections);
  } finally {
    for (const queue of queues) await queue.close();
    for (const connection of connections) connection.close();
  }
}

function two(queues: BlockQueue[]): [BlockQueue, BlockQueue] {
  const [a, b] = queues;
  assert.ok(a && b);
  return [a, b];
}

/** A block as soon as one is there. */
async function takenSoon(queue: BlockQueue): Promise<TakenBlock> {
  for (let tries = 0; tries < 150; tries++) {
    const taken = await queue.take();
    if (taken) return taken;
    await delay(100);
  }
  throw new Error('no block came');
}

test('hands out blocks once each, in the plan order, and finished ones never again', () =>
  withRedis(async ({ url }) => {
    await withQueues(url, 2, async (queues) => {
      const [a, b] = two(queues);
      const taken = [await a.take(), await b.take(), await a.take(), await b.take()];
      assert.deepEqual(
        taken.map((each) => [each?.key, each?.attempt]),
        KEYS.map((key) => [key, 1]),
      );
      assert.equal(await a.take(), null);
      for (const each of taken) assert.equal(await each?.finish(), true);
    });
    // A worker that comes when everything is done.
    await withQueues(url, 1, async ([late]) => {
      assert.equal(await late?.take(), null);
      assert.deepEqual(await late?.counts(), { waiting: 0, taken: 0, finished: 4, givenUp: 0 });
    });
  }));

test('hands out a returned block next, as a second attempt', () =>
  withRedis(({ url }) =>
    withQueues(url, 2, async (queues) => {
      const [a, b] = two(queues);
      await (await a.take())?.giveBack();
      const again = await b.take();
      assert.deepEqual([again?.key, again?.attempt], [KEYS[0], 2]);
      assert.equal(await again?.finish(), true);
    }),
  ));

test('renews a lock while a block is worked on, and lets it expire when its worker is gone', () =>
  withRedis(({ url }) =>
    withQueues(url, 2, async (queues, connections) => {
      const [a, b] = two(queues);
      const dead = await a.take();
      const alive = await b.take();
      connections[0]?.close();
      for (const _ of KEYS.slice(2)) await (await b.take())?.finish();
      const back = await takenSoon(b);
      assert.deepEqual([back.key, back.attempt], [dead?.key, 2]);
      assert.equal(await alive?.finish(), true, 'its lock was renewed all the time');
      await back.finish();
    }),
  ));

test('informs a worker that slept too long that it lost its block', () =>
  withRedis(({ url }) =>
    withQueues(
      url,
      2,
      async (queues, connections) => {
        const [a, b] = two(queues);
        const first = await a.take();
        const { redis } = connections[1] as RedisConnection;
        // As if the lock had expired: no other worker can take it.
        await redis.del(`bull:plan:${first?.key}:lock`);
        const second = await takenSoon(b);
        assert.equal(second.attempt, 2);
        assert.equal(await first?.finish(), false);
        assert.equal(await second.finish(), true);
      },
      ['a/none/cold/1'],
    ),
  ));

test('gives up a block that repeatedly kills its workers', () =>
  withRedis(({ url }) =>
    withQueues(
      url,
      2,
      async (queues, connections) => {
        const [a, b] = two(queues);
        const { redis } = connections[1] as RedisConnection;
        for (let deaths = 0; deaths < 3; deaths++) {
          const taken = await takenSoon(a);
          assert.equal(taken.attempt, deaths + 1);
          await redis.del(`bull:plan:${taken.key}:lock`);
        }
        for (let tries = 0; (await b.counts()).givenUp === 0 && tries < 150; tries++) {
          assert.equal(await b.take(), null);
          await delay(100);
        }
        assert.deepEqual(await b.counts(), { waiting: 0, taken: 0, finished: 0, givenUp: 1 });
      },
      ['a/none/cold/1'],
    ),
  ));

test('explains the remedy without Redis, or when it is emptied', () =>
  withRedis(async (server) => {
    await withQueues(server.url, 1, async ([queue]) => {
      assert.ok(queue);
      await server.stop();
      await server.start();
      await assert.rejects(queue.counts(), (error) => {
        assert.ok(error instanceof QueueError);
        assert.match(error.message, /has lost blocks: it has 0 of 4/);
        return true;
      });
      await server.stop();
      await assert.rejects(queue.take(), (error) => {
        assert.ok(error instanceof QueueError);
        assert.match(error.message, /cannot be used: .*ECONNREFUSED.*--resume DIR --queue URL/);
        return true;
      });
    });
    await assert.rejects(
      connectRedis(server.url.replace('//', '//user:secret@')),
      (error: Error) => {
        assert.match(error.message, /redis:\/\/user:\*\*\*@.*ECONNREFUSED.*Start Redis/);
        return true;
      },
    );
  }));
