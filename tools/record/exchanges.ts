import type { Protocol } from 'puppeteer-core';
import type { ResourceType } from '../../cache/manifest.ts';
import { lost, type Note } from '../../cache/notes.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import type { Exchange } from '../../clients/chromium/har/exchanges.ts';
import { leadsOn, type NetLogAnswer } from './net-log-answers.ts';

/** What a load asked for, each request with its answer, and what of it cannot be kept. */
export interface LoadExchanges {
  exchanges: RecordedExchange[];
  notes: Note[];
}

/**
 * Puts together what Chromium's protocol for tools says of each request (its type, its times) and what the network stack logged of
 * it (headers and body as sent). Requests of the browser's own, for updates and the like, are in the log alone and are left out;
 * those of the page that the protocol does not tell of are known by the tab's site in their isolation key.
 * @param seen of one load, in order of their start
 * @param answers of the same browser, in order of their start
 */
export function loadExchanges(
  seen: readonly Exchange[],
  answers: readonly NetLogAnswer[],
): LoadExchanges {
  // A request can be made twice for one of the page: first of the cache alone, in vain, then of the network.
  const answeredFirst = answers.toSorted((a, b) => Number(b.status > 0) - Number(a.status > 0));
  const open = Map.groupBy(answeredFirst, keyOf);
  const exchanges: RecordedExchange[] = [];
  const notes: Note[] = [];
  const known = new Set<string>();
  const keep = (answer: NetLogAnswer, exchange: Exchange | null) => {
    // Asked for again: the browser's cache had it, or was told that it still holds.
    if (known.has(keyOf(answer)) && (answer.status === 0 || answer.status === 304)) return;
    known.add(keyOf(answer));
    if (answer.status > 0 && !answer.whole) {
      notes.push(
        lost(
          nameOf(answer),
          `the load ended before its answer did, or gave it up: ${answer.body.length.toLocaleString('en-US')} bytes had come`,
        ),
      );
      return;
    }
    exchanges.push(recorded(answer, exchange));
  };
  for (const exchange of seen) {
    const { method, url } = exchange.request.request;
    // Never came to the network stack: it was in memory already, or forbidden (mixed content, content policy).
    if (exchange.servedFromCache || exchange.failed?.blockedReason) continue;
    const answer = open.get(keyOf({ method, url }))?.shift();
    if (answer) keep(answer, exchange);
    else notes.push(lost(nameOf({ method, url }), "it left no trace in Chromium's network log"));
  }
  const tabs = new Set(answers.filter(({ isDocument }) => isDocument).map(tabOf));
  for (const answer of [...open.values()].flat()) {
    if (answer.isolationKey === null || !tabs.has(tabOf(answer))) continue;
    if (/^wss?:/.test(answer.url))
      notes.push({ where: answer.url, text: 'a WebSocket, which cannot be replayed' });
    else keep(answer, null);
  }
  const redirects = exchanges.filter((exchange) => leadsOn(exchange) && mayHaveBody(exchange));
  if (redirects.length > 0) {
    notes.push(
      `the bodies of redirects (${redirects.length}), if they had any, are not kept: Chromium reads none of them`,
    );
  }
  return { exchanges, notes };
}

function mayHaveBody({ headers }: RecordedExchange): boolean {
  return headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] !== '0';
}

function keyOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${url}`;
}

function nameOf({ method, url }: { method: string; url: string }): string {
  return method === 'GET' ? url : keyOf({ method, url });
}

/** The site of the tab, the first half of the key. */
function tabOf({ isolationKey }: NetLogAnswer): string {
  return isolationKey?.split(' ')[0] ?? '';
}

function recorded(answer: NetLogAnswer, exchange: Exchange | null): RecordedExchange {
  const { method, url, status, headers, body } = answer;
  return {
    where: nameOf(answer),
    method,
    url,
    status,
    headers,
    body,
    bodyIs: 'as sent',
    type: exchange ? (TYPES[exchange.request.type ?? 'Other'] ?? 'other') : null,
    ...(exchange ? timesOf(exchange) : {}),
    ...(exchange?.sentHeaders ? { requestHeaders: Object.entries(exchange.sentHeaders) } : {}),
  };
}

const TYPES: Partial<Record<Protocol.Network.ResourceType, ResourceType>> = {
  // Which of them is the page's own the redirects tell; the others are frames.
  Document: 'document',
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
};

type Times = Pick<RecordedExchange, 'startedAt' | 'waitMs' | 'connectMs' | 'serverAddress'>;

/** What the protocol's timings say; -1 there means that a step did not happen. */
function timesOf({ request, response }: Exchange): Times {
  const timing = response?.timing;
  const waitMs = timing ? (timing.receiveHeadersStart ?? -1) - timing.sendEnd : -1;
  const connectMs = timing ? connectMsOf(timing) : -1;
  return {
    startedAt: new Date(request.wallTime * 1000).toISOString(),
    ...(waitMs >= 0 && timing && timing.sendEnd >= 0 ? { waitMs } : {}),
    ...(connectMs > 0 ? { connectMs } : {}),
    ...(response?.remoteIPAddress ? { serverAddress: response.remoteIPAddress } : {}),
  };
}

/** TCP's part of a connection; QUIC connects and agrees on keys in one go, which is a round trip as well. */
function connectMsOf({ connectStart, connectEnd, sslStart }: Protocol.Network.ResourceTiming) {
  if (connectStart < 0) return -1;
  return (sslStart > connectStart ? sslStart : connectEnd) - connectStart;
}
