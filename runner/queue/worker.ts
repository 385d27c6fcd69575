import { setTimeout as delay } from 'node:timers/promises';
import { idOfAttempt } from '../../ground/records/attempt.ts';
import { complain } from '../../ground/system/printed.mjs';
import { type Block, blocksOf } from '../campaign/block.ts';
import type { PreparedRun } from '../campaign/prepare.ts';
import type { Work } from '../campaign/scheduler.ts';
import { printEvent } from '../progress.ts';
import type { Stop } from '../stop.ts';
import {
  type BlockCounts,
  type BlockQueue,
  openBlockQueue,
  queueName,
  type TakenBlock,
} from './block-queue.ts';
import { connectRedis, QueueError } from './redis.ts';

const POLL_INTERVAL_MS = 1000;

/**
 * Lends the work of a plan's queue, block by block. Whatever was taken and not finished when `act` ends, for whatever
 * reason, goes back into the queue at once.
 * @returns null when nothing was left for a new worker, which then has nothing to write down
 * @throws QueueError
 */
export async function withQueue<T>(
  run: Pick<PreparedRun, 'record' | 'plan' | 'resumed' | 'invocation'>,
  url: string,
  stop: Pick<Stop, 'soon'>,
  act: (work: Work) => Promise<T>,
): Promise<T | null> {
  const blocks = blocksOf(run.plan.trials, run.record.choices.order);
  const connection = await connectRedis(url);
  try {
    const keys = blocks.map(({ key }) => key);
    const queue = await openBlockQueue(connection, queueName(run.record), keys);
    const taken = new Map<Block, TakenBlock>();
    const output = run.invocation.progress === 'jsonl' ? events : texts;
    try {
      const done = run.resumed?.done.ids ?? new Set<string>();
      const end = endOf(stop.soon, run.invocation.budgetMs);
      const work = workOfQueue({ queue, blocks, taken, done, output, end });
      if (run.resumed) return await act(work);
      const first = await work.next();
      if (first !== null) return await act(withFirstBlock(first, work));
      stop.soon.throwIfAborted();
      output.nothingLeft();
      return null;
    } finally {
      for (const block of taken.values()) await block.giveBack().catch(() => {});
      await queue.counts().then(output.left, () => {});
      await queue.close();
    }
  } finally {
    connection.close();
  }
}

interface QueuedWork {
  queue: Pick<BlockQueue, 'take' | 'counts'>;
  /** Of the plan, in its order. */
  blocks: readonly Block[];
  /** What this worker has and has not finished. */
  taken: Map<Block, TakenBlock>;
  /** Ids of the loads that this worker made in earlier invocations. */
  done: ReadonlySet<string>;
  output: Pick<typeof texts, 'waiting' | 'lost'>;
  /** Aborted: no block is taken any more. */
  end: AbortSignal;
}

/** The budget also limits waiting for others' blocks. */
function endOf(soon: AbortSignal, budgetMs: number | null): AbortSignal {
  return budgetMs === null ? soon : AbortSignal.any([soon, AbortSignal.timeout(budgetMs)]);
}

/** The blocks that the queue gives to this worker, until all of the plan are finished. */
export function workOfQueue({ queue, blocks, taken, done, output, end }: QueuedWork): Work {
  const blockOfKey = new Map(blocks.map((block) => [block.key, block]));
  /** The next block with anything to do; null: none is waiting. */
  const take = async (): Promise<Block | null> => {
    for (let found = await queue.take(); found; found = await queue.take()) {
      const block = ofAttempt(blockOfKey.get(found.key), found, done);
      if (block.trials.length > 0) {
        taken.set(block, found);
        return block;
      }
      await found.finish();
    }
    return null;
  };
  return {
    async next() {
      for (let told = false; !end.aborted; ) {
        const block = await take();
        if (block) return block;
        const counts = await queue.counts();
        // Others may die over what they have; it comes back then.
        if (counts.waiting + counts.taken === 0) return null;
        if (!told && taken.size === 0) {
          output.waiting(counts);
          told = true;
        }
        await delay(POLL_INTERVAL_MS, null, { signal: end }).catch(() => {});
      }
      return null;
    },
    async done(block) {
      const held = taken.get(block);
      taken.delete(block);
      if (held && !(await held.finish())) output.lost(held);
    },
    // Any other worker may take it.
    expects: () => false,
  };
}

/** The same work, of which a first block was taken already. */
export function withFirstBlock(first: Block, work: Work): Work {
  let waiting: Block | null = first;
  return {
    ...work,
    async next() {
      if (waiting === null) return work.next();
      const block = waiting;
      waiting = null;
      return block;
    },
  };
}

/** A block as it is loaded in this attempt at it, without what this worker made of it before. */
function ofAttempt(
  block: Block | undefined,
  { key, attempt }: Pick<TakenBlock, 'key' | 'attempt'>,
  done: ReadonlySet<string>,
): Block {
  if (!block) {
    throw new QueueError(
      `The queue holds a block ${key} that the plan does not have: another program has written to it. Start over: --freeze a plan, which gets a new queue.`,
    );
  }
  const trials = block.trials.map((trial) => ({ ...trial, id: idOfAttempt(trial.id, attempt) }));
  return { key, trials: trials.filter(({ id }) => !done.has(id)) };
}

/** What is told to people. */
const texts = {
  waiting({ taken }: BlockCounts) {
    complain(
      `No block is waiting; other workers have the last ${taken}. Waiting for them, because they may come back.`,
    );
  },
  nothingLeft() {
    complain(
      'Other workers have made all blocks of the plan, or hold the last ones: nothing was left for this one, and it made no folder. Join what they measured: npm run merge.',
    );
  },
  lost({ key }: Pick<TakenBlock, 'key'>) {
    complain(
      `The queue took this worker for dead and gave block ${key} to another one. Both measured it: the report takes the first attempt.`,
    );
  },
  left({ waiting, taken, finished, givenUp }: BlockCounts) {
    const given = givenUp === 0 ? '' : `, ${givenUp} given up because their workers died`;
    complain(`Queue: ${finished} blocks finished, ${taken} taken, ${waiting} waiting${given}.`);
  },
};

/** The same for programs. */
const events: typeof texts = {
  waiting: (counts) => printEvent('queue-waiting', { ...counts }),
  nothingLeft: () => printEvent('queue-finished', {}),
  lost: ({ key }) => printEvent('block-lost', { block: key }),
  left: (counts) => printEvent('queue-left', { ...counts }),
};
