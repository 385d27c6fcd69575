import { isRedirect } from '../../cache/response-headers.ts';
import { createEventReader, type NetLogEvent } from '../../clients/chromium/net-log/events.ts';

/** One request as Chromium's network stack made it, with what came back. A redirect's steps are an answer each. */
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
  /** Whether the request was for the tab's own document. */
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
export function leadsOn({ status, headers }: Pick<NetLogAnswer, 'status' | 'headers'>): boolean {
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
