import querystring from 'node:querystring';
import { Redis } from 'ioredis';
import { MachineError } from '../../ground/system/errors.ts';

/** The queue cannot be used. */
export class QueueError extends MachineError {
  override name = 'QueueError';
}

/** How long a Redis that does not answer is waited for. */
const CONNECT_TIMEOUT_MS = 20_000;
const RETRY_MS = 500;

const START_REDIS =
  'Start Redis there, or give the address of the one that the other workers use, for example redis://host:6379.';
const GO_ON =
  'What was measured is kept. When Redis is back, use --resume DIR --queue URL; meanwhile other workers make the remaining loads.';

/** A connection to Redis that is restored when it is lost, for some seconds. */
export type RedisConnection = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Connects to Redis.
 * @param patienceMs how long to wait for each answer
 * @throws QueueError when no Redis answers
 */
export async function connectRedis(url: string, { patienceMs = CONNECT_TIMEOUT_MS } = {}) {
  let lastError: Error | null = null;
  let remedy = START_REDIS;
  // A password in the URL goes before it, but all users can read that in the list of processes.
  const { REDIS_PASSWORD: password } = process.env;
  // Programs that are started later have no use for it.
  delete process.env.REDIS_PASSWORD;
  const redis = new Redis(url, {
    password,
    // The queue's library insists on it; commandTimeout is the limit instead.
    maxRetriesPerRequest: null,
    commandTimeout: patienceMs,
    retryStrategy: (times) => (times * RETRY_MS > patienceMs ? null : RETRY_MS),
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

/** An address, or a command line's argument, without its passwords, however they are encoded. */
export function withoutPassword(text: string): string {
  if (!/rediss?:\/\//i.test(text)) return text;
  return (
    text
      .replace(/([?&])([^=&]*)=[^&]*/g, (parameter, separator, name) =>
        SECRET_OPTION.test(querystring.unescape(name)) ? `${separator}${name}=***` : parameter,
      )
      // A password may hold an @ of its own: it ends at the last one. Its colon may be encoded.
      .replace(/(:\/\/[^:@]*?(?::|%3a)).*@/is, '$1***@')
  );
}

/** Names of options in the query of an address: password, sentinelPassword ... */
const SECRET_OPTION = /pass|pwd|auth|secret|token|key|credential/i;
