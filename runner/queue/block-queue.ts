import { randomUUID } from 'node:crypto';
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { PlanRecord } from '../../ground/records/run.ts';
import { isRefusal, QueueError, type RedisConnection } from './redis.ts';

/** A block that this worker took. */
export interface TakenBlock {
  key: string;
  /** 1 for the first worker that takes it, 2 for the second, and so on. */
  attempt: number;
  /** Marks its loads as made; false: the queue has given it to another worker. */
  finish(): Promise<boolean>;
  /** Returns it to the queue. */
  giveBack(): Promise<void>;
}

/** Numbers of a plan's blocks by state. */
export interface BlockCounts {
  /** Available to any worker. */
  waiting: number;
  /** Taken, by this or another worker. */
  taken: number;
  finished: number;
  /** Their workers died too often. */
  givenUp: number;
}

/** Redis queue of a plan's blocks, which all workers share. */
export type BlockQueue = Awaited<ReturnType<typeof openBlockQueue>>;

/** Timing of the lock on a taken block. */
interface LockTimes {
  lockMs: number;
  renewMs: number;
  lookMs: number;
}

/** The lock outlasts short interruptions of Redis. */
const LOCK_TIMES: LockTimes = { lockMs: 45_000, renewMs: 10_000, lookMs: 10_000 };
/** A block whose workers keep dying would end all workers. */
const MAX_DEATHS = 3;
const BLOCKS_AT_ONCE = 1000;

/** Name of a plan's queue in Redis: the same on every worker, and new for a plan that is frozen again. */
export function queueName({ runId, planSha256 }: Pick<PlanRecord, 'runId' | 'planSha256'>): string {
  return `quic-vs-https-${runId}-${planSha256.slice(0, 16)}`;
}

/**
 * Opens the queue of a plan, and adds its blocks. Later workers add nothing: finished blocks stay in the queue,
 * which recognizes them.
 * @param keys of the plan's blocks, in the order of the plan
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
  // A connection error also fails the next command, which reports it.
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
  /** The next block in the plan's order; null: none is available now. */
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
  // A failed renewal is ignored: if the lock expires, finish() reports it.
  const renewal = setInterval(() => job.extendLock(token, lockMs).catch(() => {}), renewMs);
  renewal.unref();
  const unlessRefused = async (command: Promise<unknown>) => {
    clearInterval(renewal);
    try {
      await answer(command);
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
