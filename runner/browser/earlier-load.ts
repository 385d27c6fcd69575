import type { Browser, CDPSession } from 'puppeteer-core';
import type { Failure, VisitOptions } from './visit.ts';

export async function makeEarlierLoad(
  _browser: Browser,
  _session: CDPSession,
  _options: VisitOptions,
): Promise<Failure | null> {
  throw new Error('not yet');
}
