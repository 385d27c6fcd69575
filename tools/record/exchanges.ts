import type { Protocol } from 'puppeteer-core';
import type { ResourceType } from '../../cache/manifest.ts';
import { lost, type Note } from '../../cache/notes.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import { isRedirect } from '../../cache/response-headers.ts';
import type { Exchange } from '../../clients/chromium/har/exchanges.ts';
import { createEventReader, type NetLogEvent } from '../../clients/chromium/net-log/events.ts';
import { countText } from '../../kit/text/number.ts';

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
          `the load ended before its answer did, or gave it up: ${countText(answer.body.length)} bytes had come`,
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

export interface NetLogAnswer {
  method: string;
  /** Without fragment. */
  url: string;
  /** 0: nothing came by the network, for want of an answer or because the browser's cache had it. */
  status: number;
  /** As received, in order; Latin-1 text, so that each character is one byte. */
  headers: [name: string, value: string][];
  /** As sent: with its content coding, without that of the transfer. A redirect's body is never read: empty. */
  body: Uint8Array;
  /** Whether the body came to its end; false also while it was still under way when the browser ended. */
  whole: boolean;
  /** `https://a.test https://b.test`: the site of the tab and that of the frame; null: not said. */
  isolationKey: string | null;
  isDocument: boolean;
}

/**
 * Reads every request and answer out of a NetLog that was written with `--net-log-capture-mode=Everything`: the only place where
 * Chromium tells a body as it was sent; its protocol for tools has the decoded one.
 * @throws Error when the lines are no NetLog
 */
export async function netLogAnswers(lines: AsyncIterable<string>): Promise<NetLogAnswer[]> {
  const reader = createEventReader();
  const requests = new Map<number, OpenRequest>();
  const answers: OpenAnswer[] = [];
  for await (const line of lines) {
    const event = reader.read(line);
    if (event?.source.type !== 'URL_REQUEST') continue;
    const { id } = event.source;
    const request = requests.get(id) ?? { current: null };
    requests.set(id, request);
    follow(request, event, answers);
  }
  if (!reader.started) throw new Error('Chromium has written no NetLog that could be read');
  return answers.map(closed);
}

interface OpenRequest {
  current: OpenAnswer | null;
}

interface OpenAnswer extends Omit<NetLogAnswer, 'body'> {
  /** Before the filters that take codings off. */
  raw: Uint8Array[];
  /** Behind them; without filters the only ones. */
  filtered: Uint8Array[];
  hasFilters: boolean;
}

function follow(request: OpenRequest, event: NetLogEvent, answers: OpenAnswer[]): void {
  const { name, phase, params } = event;
  if (name === 'URL_REQUEST_START_JOB' && phase === 'begin') {
    request.current = begun(params);
    answers.push(request.current);
    return;
  }
  const { current } = request;
  if (current === null) return;
  switch (name) {
    case 'HTTP_TRANSACTION_READ_RESPONSE_HEADERS':
      // A second one is of the same request sent once more, on another connection or with a password.
      Object.assign(current, { ...responseHead(params.headers), raw: [], filtered: [] });
      return;
    case 'URL_REQUEST_FILTERS_SET':
      current.hasFilters = true;
      return;
    case 'URL_REQUEST_JOB_BYTES_READ':
      current.raw.push(bytesOf(params));
      return;
    case 'URL_REQUEST_JOB_FILTERED_BYTES_READ':
      if (!current.hasFilters) current.filtered.push(bytesOf(params));
      return;
    case 'URL_REQUEST_REDIRECTED':
      current.whole = true;
      return;
    case 'CANCELLED':
    case 'FAILED':
      request.current = null;
      return;
    case 'REQUEST_ALIVE':
      if (phase === 'end') current.whole = params.net_error === undefined;
      return;
  }
}

function begun(params: Record<string, unknown>): OpenAnswer {
  return {
    method: String(params.method ?? 'GET').toUpperCase(),
    url: String(params.url ?? '').replace(/#.*$/, ''),
    status: 0,
    headers: [],
    whole: false,
    isolationKey:
      typeof params.network_isolation_key === 'string' ? params.network_isolation_key : null,
    isDocument: params.request_type === 'main frame',
    raw: [],
    filtered: [],
    hasFilters: false,
  };
}

function closed({ raw, filtered, hasFilters, ...answer }: OpenAnswer): NetLogAnswer {
  const body = Buffer.concat(hasFilters ? raw : filtered);
  const told = answer.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  // A page may leave off as soon as it has all it wants; what came is whole if it has the length that was told.
  const isAll = told !== undefined && Number(told) === body.length && answer.status > 0;
  const hasNone = answer.status === 204 || leadsOn(answer);
  return { ...answer, body, whole: answer.whole || isAll || hasNone };
}

/** Whether a browser goes on to another address, without reading the body. */
function leadsOn({ status, headers }: Pick<NetLogAnswer, 'status' | 'headers'>): boolean {
  return isRedirect(status) && headers.some(([name]) => name.toLowerCase() === 'location');
}

function bytesOf(params: Record<string, unknown>): Uint8Array {
  return Buffer.from(String(params.bytes ?? ''), 'base64');
}

/** `['HTTP/1.1 200 OK', 'content-type: text/html', ...]`, also for HTTP/2 and HTTP/3. */
function responseHead(value: unknown): Pick<NetLogAnswer, 'status' | 'headers'> {
  const [statusLine = '', ...lines] = Array.isArray(value) ? value.map(String) : [];
  const headers = lines.flatMap((line): [string, string][] => {
    const text = unescaped(line);
    const colon = text.indexOf(':');
    return colon <= 0 ? [] : [[text.slice(0, colon), text.slice(colon + 1).trim()]];
  });
  return { status: Number(/^HTTP\/\S+ (\d+)/.exec(statusLine)?.[1] ?? 0), headers };
}

/** Chromium writes text that is not ASCII with a mark in front and its bytes (and percent signs) percent-encoded. */
function unescaped(text: string): string {
  if (!text.startsWith(ESCAPED_MARK)) return text;
  return text
    .slice(ESCAPED_MARK.length)
    .replace(/%([0-9A-F]{2})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const ESCAPED_MARK = '%ESCAPED:\u200b ';
