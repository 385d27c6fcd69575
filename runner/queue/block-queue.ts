import { randomUUID } from 'node:crypto';
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { PlanRecord } from '../../ground/records/run.ts';
import { isRefusal, QueueError, type RedisConnection } from './redis.ts';

/** A block that this worker has taken. */
export interface TakenBlock {
  key: string;
  /** 1 for the first worker that takes it, 2 for the next one ... */
  attempt: number;
  /** Tells the queue that its loads are made; false: it is another worker's by now, or was. */
  finish(): Promise<boolean>;
  /** Gives it back for the next one to take. */
  giveBack(): Promise<void>;
}

/** How far the blocks of a plan are. */
export interface BlockCounts {
  /** For anyone to take. */
  waiting: number;
  /** Taken, by this or another worker. */
  taken: number;
  finished: number;
  /** Taken by too many workers that died of it, or with it. */
  givenUp: number;
}

/** The queue of a plan's blocks in Redis, which all workers share. */
export type BlockQueue = Awaited<ReturnType<typeof openBlockQueue>>;

/** How long a block is a worker's that gives no sign of life, and how soon that is noticed. */
interface LockTimes {
  lockMs: number;
  renewMs: number;
  lookMs: number;
}

/** Longer than a worker waits for a Redis that is gone for a moment. */
const LOCK_TIMES: LockTimes = { lockMs: 45_000, renewMs: 10_000, lookMs: 10_000 };
/** A block whose worker died so often would end all of them. */
const MAX_DEATHS = 3;
const BLOCKS_AT_ONCE = 1000;

/** Where the blocks of a frozen plan are in Redis: the same on every worker, another for a plan that is frozen again. */
export function queueName({ runId, planSha256 }: Pick<PlanRecord, 'runId' | 'planSha256'>): string {
  return `quic-vs-https-${runId}-${planSha256.slice(0, 16)}`;
}

/**
 * Opens the queue of a plan, and puts its blocks in. Whoever comes later adds nothing: finished blocks stay in the queue,
 * so that it knows them again.
 * @param keys of the plan's blocks, in its order
 * @throws QueueError
 */
export async function openBlockQueue(
  { redis, answer }: RedisConnection,
  name: string,
  keys: readonly string[],
  times: LockTimes = LOCK_TIMES,
) {
  const queue = new Queue(name, { connection: redis });
  const worker = new Worker(name, null, {
    connection: redis,
    autorun: false,
    lockDuration: times.lockMs,
    stalledInterval: times.lookMs,
    maxStalledCount: MAX_DEATHS - 1,
  });
  // Whatever befalls the connection meets the next question too, and is told there.
  queue.on('error', () => {});
  worker.on('error', () => {});
  const close = async () => {
    await worker.close(true).catch(() => {});
    await queue.close().catch(() => {});
  };
  try {
    for (let at = 0; at < keys.length; at += BLOCKS_AT_ONCE) {
      const some = keys.slice(at, at + BLOCKS_AT_ONCE);
      await answer(
        queue.addBulk(some.map((key) => ({ name: 'block', data: {}, opts: { jobId: key } }))),
      );
    }
    await answer(worker.startStalledCheckTimer());
  } catch (error) {
    await close();
    throw error;
  }
  const token = randomUUID();
  /** The next block in the plan's order; null: none is waiting now. */
  const take = async (): Promise<TakenBlock | null> => {
    const job: Job | undefined = await answer(worker.getNextJob(token, { block: false }));
    if (!job) return null;
    if (job.deferredFailure) {
      const reason = new UnrecoverableError(`${MAX_DEATHS} workers died over it`);
      await answer(job.moveToFailed(reason, token));
      return take();
    }
    return takenBlock(job, token, answer, times);
  };
  return {
    take,
    async counts(): Promise<BlockCounts> {
      const found = await answer(queue.getJobCounts('wait', 'active', 'completed', 'failed'));
      const { wait = 0, active = 0, completed = 0, failed = 0 } = found;
      if (wait + active + completed + failed < keys.length) {
        throw new QueueError(
          `The queue ${name} has lost blocks: it has ${wait + active + completed + failed} of ${keys.length}. Redis was emptied. What was measured is kept: merge it, and start a new run for what is missing.`,
        );
      }
      return { waiting: wait, taken: active, finished: completed, givenUp: failed };
    },
    close,
  };
}

function takenBlock(
  job: Job,
  token: string,
  answer: RedisConnection['answer'],
  { lockMs, renewMs }: LockTimes,
): TakenBlock {
  // A renewal that fails is none; if the lock runs out by that, finish() says so.
  const renewal = setInterval(() => job.extendLock(token, lockMs).catch(() => {}), renewMs);
  renewal.unref();
  const unlessRefused = async (asked: Promise<unknown>) => {
    clearInterval(renewal);
    try {
      await answer(asked);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  return {
    key: job.id ?? '',
    attempt: job.attemptsStarted,
    finish: () => unlessRefused(job.moveToCompleted(null, token, false)),
    giveBack: async () => void (await unlessRefused(job.moveToWait(token))),
  };
}
