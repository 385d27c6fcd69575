import type { Protocol } from 'puppeteer-core';
import type { ResourceType } from '../../cache/manifest.ts';
import { lost, type Note } from '../../cache/notes.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import { isRedirect } from '../../cache/response-headers.ts';
import type { Exchange } from '../../clients/chromium/har/exchanges.ts';
import { createEventReader, type NetLogEvent } from '../../clients/chromium/net-log/events.ts';
import { countText } from '../../kit/text/number.ts';

/** Requests of a load with their responses, and notes on those that cannot be kept. */
export interface LoadExchanges {
  exchanges: RecordedExchange[];
  notes: Note[];
}

/**
 * Joins the requests of the DevTools protocol (type, times) with those of the NetLog (headers and body as sent). Only the NetLog has
 * the browser's own requests, such as updates, which are excluded; the page's requests that the protocol lacks are recognised by the
 * tab's site in their isolation key.
 * @param seen requests of one load, in order of their start
 * @param answers of the same browser, in order of their start
 */
export function loadExchanges(
  seen: readonly Exchange[],
  answers: readonly NetLogAnswer[],
): LoadExchanges {
  // The browser may make a request twice: first from the cache only, in vain, then from the network.
  const answeredFirst = answers.toSorted((a, b) => Number(b.status > 0) - Number(a.status > 0));
  const open = Map.groupBy(answeredFirst, keyOf);
  const exchanges: RecordedExchange[] = [];
  const notes: Note[] = [];
  const known = new Set<string>();
  const keep = (answer: NetLogAnswer, exchange: Exchange | null) => {
    // Repeated request: the browser's cache had it, or revalidated it.
    if (known.has(keyOf(answer)) && (answer.status === 0 || answer.status === 304)) return;
    known.add(keyOf(answer));
    if (answer.status > 0 && !answer.whole) {
      notes.push(
        lost(
          nameOf(answer),
          `the load ended before the response, or aborted it: ${countText(answer.body.length)} bytes received`,
        ),
      );
      return;
    }
    exchanges.push(recorded(answer, exchange));
  };
  for (const exchange of seen) {
    const { method, url } = exchange.request.request;
    // Never reached the network stack: in memory, or blocked (mixed content, content policy).
    if (exchange.servedFromCache || exchange.failed?.blockedReason) continue;
    const answer = open.get(keyOf({ method, url }))?.shift();
    if (answer) keep(answer, exchange);
    else notes.push(lost(nameOf({ method, url }), "it is missing in Chromium's network log"));
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
      `bodies of redirects (${redirects.length}) are not kept: Chromium does not read them`,
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

/** Site of the tab: first half of the key. */
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
  // Redirects decide which is the page's own; the rest are frames.
  Document: 'document',
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
};

type Times = Pick<RecordedExchange, 'startedAt' | 'waitMs' | 'connectMs' | 'serverAddress'>;

/** -1 in the protocol's timings: the step did not happen. */
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

/** TCP's part of a connection setup; all of it for QUIC, which takes a round trip too. */
function connectMsOf({ connectStart, connectEnd, sslStart }: Protocol.Network.ResourceTiming) {
  if (connectStart < 0) return -1;
  return (sslStart > connectStart ? sslStart : connectEnd) - connectStart;
}

export interface NetLogAnswer {
  method: string;
  /** Without fragment. */
  url: string;
  /** 0: no response from the network: missing, or in the browser's cache. */
  status: number;
  /** As received, in order; Latin-1 text, one character per byte. */
  headers: [name: string, value: string][];
  /** As sent: with content coding, without transfer coding. Empty for redirects, whose body is never read. */
  body: Uint8Array;
  /** Whether the body is complete; false also if in flight when the browser ended. */
  whole: boolean;
  /** Sites of the tab and the frame, `https://a.test https://b.test`; null: not logged. */
  isolationKey: string | null;
  isDocument: boolean;
}

/**
 * Reads every request and response from a NetLog written with `--net-log-capture-mode=Everything`: only there Chromium logs bodies as
 * sent; the DevTools protocol has decoded ones.
 * @throws Error if the lines are no NetLog
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
  if (!reader.started) throw new Error('Chromium wrote no readable NetLog');
  return answers.map(closed);
}

interface OpenRequest {
  current: OpenAnswer | null;
}

interface OpenAnswer extends Omit<NetLogAnswer, 'body'> {
  /** Before decoding. */
  raw: Uint8Array[];
  /** After decoding; without filters the only ones. */
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
      // The same request was repeated, on another connection or with a password.
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
  const length = answer.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  // A page may abort a response once it has enough; the body is complete if it has the announced length.
  const isAll = length !== undefined && Number(length) === body.length && answer.status > 0;
  const hasNone = answer.status === 204 || leadsOn(answer);
  return { ...answer, body, whole: answer.whole || isAll || hasNone };
}

/** Whether a browser follows it to another address without reading the body. */
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

/** Chromium percent-encodes non-ASCII text (and percent signs) after a marker. */
function unescaped(text: string): string {
  if (!text.startsWith(ESCAPED_MARK)) return text;
  return text
    .slice(ESCAPED_MARK.length)
    .replace(/%([0-9A-F]{2})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const ESCAPED_MARK = '%ESCAPED:\u200b ';
