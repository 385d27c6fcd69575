import type { LargestPaint } from '../page-timings.ts';
import type { Har, HarEntry } from './har.ts';
import { mainDocumentOf } from './main-document.ts';
import type { LargestPaintRecord } from './records.ts';

/**
 * How the time of the largest contentful paint splits: each instant until the paint is in one part. A text waits for the document.
 * @param paintMs since the start of the navigation
 */
export function largestPaintOf(
  har: Har,
  { element, url, areaPx }: LargestPaint,
  paintMs: number,
): LargestPaintRecord {
  const isData = url?.startsWith('data:') ?? false;
  const entry =
    url === null || isData ? mainDocumentOf(har)?.entry : har.log.entries.findLast(isOf(url));
  const splitMs = entry && entry._fromCache === undefined ? splitOf(har, entry, paintMs) : null;
  return { element, url: isData ? null : url, areaPx, splitMs };
}

function isOf(url: string): (entry: HarEntry) => boolean {
  const [address] = url.split('#');
  return ({ request }) => request.url.split('#', 1)[0] === address;
}

function splitOf(har: Har, { startedDateTime, timings }: HarEntry, paintMs: number) {
  const [page] = har.log.pages;
  const startMs = Date.parse(startedDateTime) - Date.parse(page?.startedDateTime ?? '');
  if (Number.isNaN(startMs)) return null;
  let leftMs = paintMs;
  const take = (...durationsMs: number[]) => {
    const takenMs = Math.min(
      leftMs,
      durationsMs.reduce((sum, ms) => sum + Math.max(0, ms), 0),
    );
    leftMs -= takenMs;
    return takenMs;
  };
  const { blocked, dns, connect, send, wait, receive } = timings;
  return {
    order: take(startMs, blocked),
    connection: take(dns, connect),
    waiting: take(send, wait),
    receiving: take(receive),
    render: leftMs,
  };
}
