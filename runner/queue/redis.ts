import { Redis } from 'ioredis';
import { MachineError } from '../../system/errors.ts';

/** The queue cannot be used. */
export class QueueError extends MachineError {
  override name = 'QueueError';
}

/** A Redis that does not answer is waited for so long. */
const PATIENCE_MS = 20_000;
const RETRY_MS = 500;

const START_REDIS =
  'Start Redis there, or give the address of the one that the other workers use, for example redis://host:6379.';
const GO_ON =
  'What was measured is kept. When Redis is back, use --resume DIR --queue URL; meanwhile other workers make the remaining loads.';

/** A connection to Redis that is restored when it is lost, for some seconds. */
export type RedisConnection = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Connects to Redis.
 * @throws QueueError when there is none
 */
export async function connectRedis(url: string) {
  let lastError: Error | null = null;
  let remedy = START_REDIS;
  const redis = new Redis(url, {
    // The queue's library insists on it; commandTimeout is the limit instead.
    maxRetriesPerRequest: null,
    commandTimeout: PATIENCE_MS,
    retryStrategy: (times) => (times * RETRY_MS > PATIENCE_MS ? null : RETRY_MS),
  });
  redis.on('error', (error: Error) => {
    lastError = error;
  });
  redis.on('ready', () => {
    lastError = null;
  });
  /**
   * Waits for an answer of Redis.
   * @throws QueueError when none comes; what the queue itself refuses is thrown as it is
   */
  const answer = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (isRefusal(error)) throw error;
      const { message } = lastError ?? (error as Error);
      throw new QueueError(
        `The queue at ${withoutPassword(url)} cannot be used: ${message}. ${remedy}`,
      );
    }
  };
  try {
    await answer(redis.ping());
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  remedy = GO_ON;
  return { redis, answer, close: () => redis.disconnect() };
}

/** Whether the queue said no: a block is not this worker's any more, for example. */
export function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' && code < 0;
}

/** An address, or a command line's argument, as it can be shown: passwords are nobody's business. */
export function withoutPassword(text: string): string {
  if (!/rediss?:\/\//.test(text)) return text;
  return (
    text
      .replace(/([?&]\w*password=)[^&]*/gi, '$1***')
      // A password may hold an @ of its own: it ends at the last one.
      .replace(/(:\/\/[^:@]*:).*@/, '$1***@')
  );
}
