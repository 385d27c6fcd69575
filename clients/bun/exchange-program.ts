// Run by Bun: makes one exchange for each line of JSON on stdin, an AskedExchange, and prints an ExchangeMade for it, a line of JSON too.

import { eventLog } from '../../ground/records/event-log.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import { monotonicMs } from '../../ground/system/monotonic-clock.ts';
import type { AskedExchange, ExchangeMade } from './exchange.ts';
import { exchangeByQuic } from './quic-exchange.ts';
import { exchangeByTcp } from './tcp-exchange.ts';

async function exchange(asked: AskedExchange): Promise<ExchangeMade> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => late.reject(new Error(`no end of the exchange within ${asked.timeoutMs / 1000} s`)),
    asked.timeoutMs,
  );
  const log = eventLog(monotonicMs);
  const lines: string[] = [];
  const keep = (line: string) => {
    log.mark('keylog');
    lines.push(`${line.trimEnd()}\n`);
  };
  const made = (error: string | null): ExchangeMade => ({
    events: [...log.events],
    error,
    keyLog: lines.join(''),
  });
  const by = asked.protocol === 'quic' ? exchangeByQuic : exchangeByTcp;
  try {
    await by(asked, { log, keep, late: late.promise });
    return made(null);
  } catch (error) {
    log.mark('error');
    return made((error as Error).message);
  } finally {
    clearTimeout(limit);
  }
}

for await (const line of textLines(process.stdin, { maxBytes: LINE_BYTES.own })) {
  process.stdout.write(`${JSON.stringify(await exchange(JSON.parse(line) as AskedExchange))}\n`);
}
process.exit(0);
