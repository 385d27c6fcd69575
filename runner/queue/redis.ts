import querystring from 'node:querystring';
import { Redis } from 'ioredis';
import { MachineError } from '../../ground/system/errors.ts';

/** The queue cannot be used. */
export class QueueError extends MachineError {
  override name = 'QueueError';
}

/** How long to wait for a Redis that does not answer. */
const CONNECT_TIMEOUT_MS = 20_000;
const RETRY_MS = 500;

const START_REDIS =
  'Start Redis there, or give the address of the one that the other workers use, for example redis://host:6379.';
const GO_ON =
  'What was measured is kept. When Redis is back, use --resume DIR --queue URL; meanwhile other workers make the remaining loads.';

/** A connection to Redis that reconnects for some seconds. */
export type RedisConnection = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Connects to Redis.
 * @param patienceMs how long to wait for each answer
 * @throws QueueError when no Redis answers
 */
export async function connectRedis(url: string, { patienceMs = CONNECT_TIMEOUT_MS } = {}) {
  let lastError: Error | null = null;
  let remedy = START_REDIS;
  // Takes precedence over a password in the URL, which all users can read in the list of processes.
  const { REDIS_PASSWORD: password } = process.env;
  // Child processes do not need it.
  delete process.env.REDIS_PASSWORD;
  const redis = new Redis(url, {
    password,
    // Required by the queue's library; commandTimeout is the limit instead.
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
   * Waits for the result of a Redis command.
   * @throws QueueError when none arrives; rethrows what the queue itself refuses
   */
  const answer = async <T>(command: Promise<T>): Promise<T> => {
    try {
      return await command;
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

/** Whether the queue refused: the block belongs to another worker by now, for example. */
export function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' && code < 0;
}

/** Hides passwords, encoded or not, in an address or a command-line argument. */
export function withoutPassword(text: string): string {
  if (!/rediss?:\/\//i.test(text)) return text;
  return (
    text
      .replace(/([?&])([^=&]*)=[^&]*/g, (parameter, separator, name) =>
        SECRET_OPTION.test(querystring.unescape(name)) ? `${separator}${name}=***` : parameter,
      )
      // A password may contain @: it ends at the last one. Its colon may be encoded.
      .replace(/(:\/\/[^:@]*?(?::|%3a)).*@/is, '$1***@')
  );
}

/** Names of secret options in the query of an address: password, sentinelPassword ... */
const SECRET_OPTION = /pass|pwd|auth|secret|token|key|credential/i;
