// Run by Bun: makes an exchange for each ExchangeRequest on stdin and prints an ExchangeResult, one line of JSON each.

import { eventLog } from '../../ground/records/event-log.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import { monotonicMs } from '../../ground/system/monotonic-clock.ts';
import type { ExchangeRequest, ExchangeResult } from './exchange.ts';
import { exchangeByQuic } from './quic-exchange.ts';
import { exchangeByTcp } from './tcp-exchange.ts';

async function exchange(request: ExchangeRequest): Promise<ExchangeResult> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => late.reject(new Error(`no end of the exchange within ${request.timeoutMs / 1000} s`)),
    request.timeoutMs,
  );
  const log = eventLog(monotonicMs);
  const lines: string[] = [];
  const keep = (line: string) => {
    log.mark('keylog');
    lines.push(`${line.trimEnd()}\n`);
  };
  const made = (error: string | null): ExchangeResult => ({
    events: [...log.events],
    error,
    keyLog: lines.join(''),
  });
  const by = request.protocol === 'quic' ? exchangeByQuic : exchangeByTcp;
  try {
    await by(request, { log, keep, late: late.promise });
    return made(null);
  } catch (error) {
    log.mark('error');
    return made((error as Error).message);
  } finally {
    clearTimeout(limit);
  }
}

for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  process.stdout.write(`${JSON.stringify(await exchange(JSON.parse(line) as ExchangeRequest))}\n`);
}
process.exit(0);
