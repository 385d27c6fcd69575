import type { ImportBudget } from '../../limits.ts';
import { lost, type Note } from '../../notes.ts';
import type { RecordedExchange } from '../../recording.ts';
import { cacheUrl } from '../file-url.ts';
import { headerValue } from '../header-block.ts';
import { readRequest, readResponse, type SentRequest, typeOfRequest } from '../http-message.ts';
import { type ArchiveContent, ipAddress } from '../recording-of.ts';
import { shown } from '../shown.ts';
import type { WarcRecord } from './records.ts';

/** An exchange that waits for its request, which may come later. */
interface Answer {
  exchange: RecordedExchange;
  id: string;
  concurrentTo: string[];
}

/**
 * Makes exchanges of records, which are added one after the other: responses with their requests, repeated ones with the body of
 * the first.
 */
export function warcCollector(budget: ImportBudget) {
  const answers: Answer[] = [];
  const notes: Note[] = [];
  const requestsById = new Map<string, SentRequest>();
  const requestsByAnswer = new Map<string, SentRequest>();
  const byDigest = new Map<string, RecordedExchange>();
  let software: string | null = null;

  const addAnswer = (record: WarcRecord, exchange: RecordedExchange | string | null) => {
    if (exchange === null) return;
    if (typeof exchange === 'string') {
      notes.push(lost(record.where, exchange));
      return;
    }
    budget.takeBody(exchange.body?.length ?? 0, record.where);
    const id = record.header('warc-record-id') ?? '';
    answers.push({ exchange, id, concurrentTo: concurrentTo(record) });
    const digest = record.header('warc-payload-digest');
    if (digest !== null && !byDigest.has(digest)) byDigest.set(digest, exchange);
  };

  const addRequest = (record: WarcRecord) => {
    const request = readRequest(record.block, budget.limits);
    if (request === null) return;
    const id = record.header('warc-record-id');
    if (id !== null) requestsById.set(id, request);
    for (const answer of concurrentTo(record)) requestsByAnswer.set(answer, request);
  };

  return {
    /** @throws ImportError when a limit is passed */
    add: (record: WarcRecord): void => {
      const note = (text: string) => notes.push({ where: record.where, text });
      if (record.type === 'warcinfo') software ??= softwareOf(record.block);
      else if (record.type === 'request') addRequest(record);
      // DNS answers, screenshots, the crawler's own notes: nothing that a browser asks a server for.
      else if (cacheUrl(record.url) === null) return;
      else if (record.type === 'continuation') note('skipped, a part of a body cannot be imported');
      else if (record.type === 'response') addAnswer(record, answered(record, budget, note));
      else if (record.type === 'resource') addAnswer(record, resource(record));
      else if (record.type === 'revisit')
        addAnswer(record, revisited(record, byDigest, budget, note));
    },
    /** What the records say about a page; exchanges in the order of the responses' records. */
    content: (): ArchiveContent => {
      for (const { exchange, id, concurrentTo: others } of answers) {
        const request =
          requestsByAnswer.get(id) ??
          others.map((other) => requestsById.get(other)).find((found) => found !== undefined);
        if (!request) continue;
        exchange.method = request.method;
        exchange.requestHeaders = request.headers;
        exchange.type = typeOfRequest(request.headers);
      }
      const exchanges = answers.map(({ exchange }) => exchange);
      const first = exchanges.find(({ status }) => status === 200);
      return { exchanges, notes, recordedAt: first?.startedAt ?? null, software };
    },
  };
}

/** A `response` record; a sentence part says why it is no exchange. */
function answered(
  record: WarcRecord,
  budget: ImportBudget,
  note: (text: string) => void,
): RecordedExchange | string {
  const truncated = record.header('warc-truncated');
  if (truncated !== null) {
    return `the archive has only the beginning of it (${shown(truncated, 40)})`;
  }
  if (record.header('warc-segment-number') !== null) return 'the archive has it in several parts';
  const response = readResponse(record.block, budget.limits);
  if (typeof response === 'string') return response;
  const { status, headers, body, notes } = response;
  notes.forEach(note);
  return { ...common(record), status, ...asRecorded(headers), body, type: null };
}

/** A `resource` record: a body that came without HTTP. */
function resource(record: WarcRecord): RecordedExchange {
  const contentType = record.header('content-type');
  return {
    ...common(record),
    status: 200,
    headers: contentType === null ? [] : [['content-type', contentType]],
    body: record.block,
    bodyIs: 'as sent',
    type: null,
  };
}

/** A `revisit` record: a response whose body is the same as an earlier one's. Null: nothing came. */
function revisited(
  record: WarcRecord,
  byDigest: ReadonlyMap<string, RecordedExchange>,
  budget: ImportBudget,
  note: (text: string) => void,
): RecordedExchange | string | null {
  const earlier = byDigest.get(record.header('warc-payload-digest') ?? '');
  const response = record.block.length === 0 ? null : readResponse(record.block, budget.limits);
  if (response !== null && typeof response !== 'string' && response.status === 304) return null;
  if (!earlier) return 'its body is in another archive';
  if (typeof response === 'string') return response;
  note(`its body is that of an earlier answer: ${earlier.where}`);
  const { body, bodyIs, headers, status } = earlier;
  const own = response === null ? { status, headers } : response;
  return {
    ...common(record),
    status: own.status,
    headers: bodyIs === 'decoded' ? asRecorded(own.headers).headers : own.headers,
    body,
    bodyIs,
    type: null,
  };
}

function common(record: WarcRecord) {
  const timeMs = Date.parse(record.header('warc-date') ?? '');
  return {
    where: record.where,
    method: 'GET',
    url: record.url,
    startedAt: Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString(),
    serverAddress: ipAddress(record.header('warc-ip-address')),
  };
}

/** Crawlers that are browsers get bodies decoded, and keep the coding under another name. */
function asRecorded(
  headers: [name: string, value: string][],
): Pick<RecordedExchange, 'headers' | 'bodyIs'> {
  const isDecoded =
    headerValue(headers, 'x-orig-content-encoding') !== null &&
    headerValue(headers, 'content-encoding') === null;
  const own = headers.flatMap(([name, value]): [string, string][] => {
    const original = /^x-orig-(content-encoding|content-length|transfer-encoding)$/i.exec(name);
    if (!original) return [[name, value]];
    return isDecoded && /encoding$/i.test(name) && /content/i.test(name)
      ? [['content-encoding', value]]
      : [];
  });
  return { headers: own, bodyIs: isDecoded ? 'decoded' : 'as sent' };
}

function concurrentTo(record: WarcRecord): string[] {
  // Several of them come joined.
  return (record.header('warc-concurrent-to') ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

function softwareOf(block: Uint8Array): string | null {
  const text = Buffer.from(block.subarray(0, 64 * 1024)).toString('utf8');
  const software = /^software:[ \t]*(\S[^\r\n]*)/im.exec(text)?.[1];
  return software === undefined ? null : shown(software.trim(), 80);
}
