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
 * Provides the blocks of a plan's queue. Returns unfinished blocks to the queue when `act` ends, even with an error.
 * @returns null when no block was left for a new worker, which then writes nothing
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
  /** All blocks, in the order of the plan. */
  blocks: readonly Block[];
  /** Blocks that this worker took and has not finished. */
  taken: Map<Block, TakenBlock>;
  /** Ids of the loads that this worker made in earlier invocations. */
  done: ReadonlySet<string>;
  output: Pick<typeof texts, 'waiting' | 'lost'>;
  /** When aborted, no further block is taken. */
  end: AbortSignal;
}

/** The budget also limits waiting for blocks of other workers. */
function endOf(soon: AbortSignal, budgetMs: number | null): AbortSignal {
  return budgetMs === null ? soon : AbortSignal.any([soon, AbortSignal.timeout(budgetMs)]);
}

/** Takes blocks from the queue until all of the plan are finished. */
export function workOfQueue({ queue, blocks, taken, done, output, end }: QueuedWork): Work {
  const blockOfKey = new Map(blocks.map((block) => [block.key, block]));
  /** The next block with remaining loads; null: none is available. */
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
      for (let isReported = false; !end.aborted; ) {
        const block = await take();
        if (block) return block;
        const counts = await queue.counts();
        // Workers that hold the last blocks may die; their blocks become available then.
        if (counts.waiting + counts.taken === 0) return null;
        if (!isReported && taken.size === 0) {
          output.waiting(counts);
          isReported = true;
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
    // Any worker may take it.
    expects: () => false,
  };
}

/** Work that begins with a block that was taken already. */
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

/** A block for this attempt, without the loads that this worker made before. */
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

/** Messages for people. */
const texts = {
  waiting({ taken }: BlockCounts) {
    complain(
      `No block is waiting; other workers have the last ${taken}. Waiting for them, because they may come back.`,
    );
  },
  nothingLeft() {
    complain(
      'Other workers have made all blocks of the plan, or hold the last ones. This worker made no folder. To merge the results: npm run merge.',
    );
  },
  lost({ key }: Pick<TakenBlock, 'key'>) {
    complain(
      `The queue considered this worker dead and gave block ${key} to another one. Both measured it: the report uses the first attempt.`,
    );
  },
  left({ waiting, taken, finished, givenUp }: BlockCounts) {
    const given = givenUp === 0 ? '' : `, ${givenUp} given up because their workers died`;
    complain(`Queue: ${finished} blocks finished, ${taken} taken, ${waiting} waiting${given}.`);
  },
};

/** Events for programs. */
const events: typeof texts = {
  waiting: (counts) => printEvent('queue-waiting', { ...counts }),
  nothingLeft: () => printEvent('queue-finished', {}),
  lost: ({ key }) => printEvent('block-lost', { block: key }),
  left: (counts) => printEvent('queue-left', { ...counts }),
};
