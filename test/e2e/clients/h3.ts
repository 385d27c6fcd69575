import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { bodyToSend, type ExchangeRequest, type ExchangeResponse } from './exchange.ts';

/**
 * A longer time means a hang: for the responses, and for each sent MB, on a busy machine and with
 * QUIC in Python.
 */
const LIMIT_MS = 30_000;
const LIMIT_PER_SENT_MB_MS = 1000;

/**
 * Sends requests to an HTTP/3 server through Bun, which has the only QUIC client among this
 * project's runtimes.
 */
export async function exchangeH3(
  bun: string,
  origins: Readonly<Record<string, string>>,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  const program = path.join(import.meta.dirname, 'h3-program.ts');
  const sentBytes = requests
    .map((each) => (bodyToSend(each)?.length ?? 0) * (each.times ?? 1))
    .reduce((sum, bytes) => sum + bytes, 0);
  const timeout = LIMIT_MS + Math.ceil(sentBytes / 1e6) * LIMIT_PER_SENT_MB_MS;
  const running = promisify(execFile)(bun, [program], { timeout });
  running.child.stdin?.end(JSON.stringify({ origins, requests }));
  const { stdout } = await running;
  return JSON.parse(stdout) as ExchangeResponse[];
}
