import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';

/** Asks an HTTP/3 server through Bun, which has the only QUIC client among this project's runtimes. */
export async function exchangeH3(
  bun: string,
  origins: Readonly<Record<string, string>>,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  const program = path.join(import.meta.dirname, 'h3-program.ts');
  const asking = promisify(execFile)(bun, [program], { timeout: 30_000 });
  asking.child.stdin?.end(JSON.stringify({ origins, requests }));
  const { stdout } = await asking;
  return JSON.parse(stdout) as ExchangeResponse[];
}
