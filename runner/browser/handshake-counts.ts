import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession } from 'puppeteer-core';
import type { HandshakeCounts } from '../../records/connection.ts';
import { within } from '../within.ts';

/**
 * How many handshakes a browser has made since its start, from its own counters, which it keeps whether anybody asks or not:
 * unlike a NetLog they cost a load nothing. To be called when a load is over: the tab is led to the page that gathers the
 * counters of Chromium's processes. null: it did not tell in time.
 * @param before what was counted before the load. On a busy machine Chromium may answer before its network process has handed
 *   over its counters: no more than before is asked again a few times; null: there need be no more
 */
export async function readHandshakeCounts(
  browser: Browser,
  session: CDPSession,
  before: HandshakeCounts | null,
): Promise<HandshakeCounts | null> {
  return within(
    readNews(browser, session, before).catch(() => null),
    ANSWER_LIMIT_MS,
  );
}

/** All handshakes together. */
export function handshakesIn(counts: HandshakeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** What was counted between two readings. */
export function handshakesBetween(
  before: HandshakeCounts | null,
  after: HandshakeCounts | null,
): HandshakeCounts | null {
  if (before === null || after === null) return null;
  return {
    tlsFull: after.tlsFull - before.tlsFull,
    tlsResumed: after.tlsResumed - before.tlsResumed,
    tlsOther: after.tlsOther - before.tlsOther,
    quicFull: after.quicFull - before.quicFull,
    quicEarlyDataAccepted: after.quicEarlyDataAccepted - before.quicEarlyDataAccepted,
    quicOther: after.quicOther - before.quicOther,
  };
}

/** What a browser that has just been started has counted. */
export const NO_HANDSHAKES: HandshakeCounts = {
  tlsFull: 0,
  tlsResumed: 0,
  tlsOther: 0,
  quicFull: 0,
  quicEarlyDataAccepted: 0,
  quicOther: 0,
};

const TLS_HISTOGRAM = 'Net.SSLHandshakeDetails';
const QUIC_HISTOGRAM = 'Net.QuicSession.ZeroRttReason';

/**
 * With one histogram's name: without any, the page shows all of Chromium's thousands, which takes a second of its processor time
 * from whatever comes next.
 */
const PAGE = `chrome://histograms/${TLS_HISTOGRAM}`;
const ANSWER_LIMIT_MS = 5_000;

const GATHER = `(async () => {
  const { sendWithPromise } = await import('chrome://resources/js/cr.js');
  await sendWithPromise('requestHistograms', 'Net.', false);
})()`;

/** Chromium's enumerations: SSLHandshakeDetails and EarlyDataReason, as its histograms number them. */
const TLS_FULL = {
  ...{ tls12: 0, tls12FalseStart: 2 },
  ...{ tls13: 6, tls13AfterHelloRetry: 8 },
};
const TLS_RESUMED = { tls12: 1, tls13: 7, tls13AfterHelloRetry: 9 };
const QUIC_EARLY_DATA_ACCEPTED = 2;
const QUIC_NO_SESSION_OFFERED = 5;

const ASKED_AGAIN_TIMES = 3;
const ASKED_AGAIN_AFTER_MS = 150;

async function readNews(
  browser: Browser,
  session: CDPSession,
  before: HandshakeCounts | null,
): Promise<HandshakeCounts | null> {
  for (let again = 0; ; again++) {
    const counts = await read(browser, session);
    const isNews =
      before === null || (counts !== null && handshakesIn(counts) > handshakesIn(before));
    if (isNews || again === ASKED_AGAIN_TIMES) return counts;
    await sleep(ASKED_AGAIN_AFTER_MS);
  }
}

async function read(browser: Browser, session: CDPSession): Promise<HandshakeCounts | null> {
  const { errorText } = await session.send('Page.navigate', { url: PAGE });
  if (errorText) return null;
  const { exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: GATHER,
    awaitPromise: true,
  });
  if (exceptionDetails) return null;
  const root = await browser.target().createCDPSession();
  const { histograms } = await root.send('Browser.getHistograms', { query: 'Net.' });
  await root.detach();
  const countsOf = (name: string) => {
    const buckets = histograms.find((each) => each.name === name)?.buckets ?? [];
    return new Map(buckets.map(({ low, count }) => [low, count]));
  };
  const tls = countsOf(TLS_HISTOGRAM);
  const quic = countsOf(QUIC_HISTOGRAM);
  return {
    tlsFull: sumOf(tls, Object.values(TLS_FULL)),
    tlsResumed: sumOf(tls, Object.values(TLS_RESUMED)),
    tlsOther: sumWithout(tls, [...Object.values(TLS_FULL), ...Object.values(TLS_RESUMED)]),
    quicFull: quic.get(QUIC_NO_SESSION_OFFERED) ?? 0,
    quicEarlyDataAccepted: quic.get(QUIC_EARLY_DATA_ACCEPTED) ?? 0,
    quicOther: sumWithout(quic, [QUIC_NO_SESSION_OFFERED, QUIC_EARLY_DATA_ACCEPTED]),
  };
}

function sumOf(counts: ReadonlyMap<number, number>, values: readonly number[]): number {
  return values.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
}

function sumWithout(counts: ReadonlyMap<number, number>, values: readonly number[]): number {
  let sum = 0;
  for (const [value, count] of counts) if (!values.includes(value)) sum += count;
  return sum;
}
