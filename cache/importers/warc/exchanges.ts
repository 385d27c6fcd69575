import type { ImportBudget } from '../../limits.ts';
import { lost, type Note } from '../../notes.ts';
import type { RecordedExchange } from '../../recording.ts';
import { cacheUrl } from '../file-url.ts';
import { headerValue } from '../header-block.ts';
import { readResponse } from '../http-message.ts';
import type { ArchivePage } from '../importer.ts';
import { type ArchiveContent, ipAddress } from '../recording-of.ts';
import { shown } from '../shown.ts';
import { originals } from './originals.ts';
import type { WarcRecord } from './records.ts';
import { requestIndex } from './requests.ts';
import { pageOf, warcInfo } from './warc-fields.ts';

/** What Browsertrix puts before the URL of a page, in a record about the page. */
const PAGE_INFO = 'urn:pageinfo:';

/** A response that waits for its request, which may come later; a revisit also for its body. */
interface Answer {
  record: WarcRecord;
  /** Null: a revisit. */
  exchange: RecordedExchange | null;
}

/**
 * Makes exchanges of records, which are added one after the other: responses with their requests, repeated ones with the body of
 * another.
 */
export function warcCollector(budget: ImportBudget) {
  const answers: Answer[] = [];
  const notes: Note[] = [];
  const pages: ArchivePage[] = [];
  const requests = requestIndex(budget);
  const bodies = originals();
  let software: string | null = null;

  const addAnswer = (record: WarcRecord, exchange: RecordedExchange | string) => {
    if (typeof exchange === 'string') {
      notes.push(lost(record.where, exchange, record.url));
      return;
    }
    budget.takeBody(exchange.body?.length ?? 0, record.where);
    answers.push({ record, exchange });
    bodies.add(record, exchange);
  };

  const exchangeOf = ({ record, exchange }: Answer): RecordedExchange | null => {
    if (exchange !== null) return exchange;
    const note = (text: string) => notes.push({ where: record.where, text });
    const revisit = revisited(record, bodies.of(record), budget, note);
    if (typeof revisit !== 'string') return revisit;
    notes.push(lost(record.where, revisit, record.url));
    return null;
  };

  return {
    /** @throws ImportError when a limit is passed */
    add: (record: WarcRecord): void => {
      const note = (text: string) => notes.push({ where: record.where, text });
      if (record.type === 'warcinfo') {
        const info = warcInfo(record.block);
        software ??= info.software;
        pages.push(...info.pages);
      } else if (record.type === 'request') requests.add(record);
      else if (record.url.startsWith(PAGE_INFO)) {
        const page = pageOf({ url: record.url.slice(PAGE_INFO.length) });
        if (page !== null) pages.push(page);
      }
      // DNS answers, screenshots, the crawler's own notes: nothing that a browser asks a server for.
      else if (cacheUrl(record.url) === null) return;
      else if (record.type === 'metadata') requests.addVia(record);
      else if (record.type === 'continuation') note('skipped, a part of a body cannot be imported');
      else if (record.type === 'response') addAnswer(record, answered(record, budget, note));
      else if (record.type === 'resource') addAnswer(record, resource(record));
      else if (record.type === 'revisit') answers.push({ record, exchange: null });
    },
    /**
     * What the records say about a page; exchanges in the order of the responses' records.
     * @throws ImportError when a limit is passed
     */
    content: (): ArchiveContent => {
      const exchanges = answers.flatMap((answer) => {
        const exchange = exchangeOf(answer);
        return exchange === null ? [] : { ...exchange, ...requests.of(answer.record) };
      });
      const first = exchanges.find(({ status }) => status === 200);
      const recordedAt = first?.startedAt ?? null;
      return { exchanges, notes, recordedAt, software, pages };
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
    return `the archive has only the beginning of it (${shown(truncated, 40) || 'unspecified'})`;
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

/** A `revisit` record: a response whose body is another one's. Null: nothing came; a sentence part says what is missing. */
function revisited(
  record: WarcRecord,
  original: RecordedExchange | undefined,
  budget: ImportBudget,
  note: (text: string) => void,
): RecordedExchange | string | null {
  const response = record.block.length === 0 ? null : readResponse(record.block, budget.limits);
  if (!original) {
    return 'its body is in another archive: give a folder with all WARCs of the crawl';
  }
  if (response !== null && typeof response !== 'string' && response.status === 304) return null;
  if (typeof response === 'string') return response;
  note(`its body is that of another answer: ${original.where}`);
  budget.takeBody(original.body?.length ?? 0, record.where);
  const { body, bodyIs, headers, status } = original;
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

/** As crawlers call headers that no longer hold, because they keep bodies decoded: browsers, and Common Crawl. */
const ORIGINAL = /^x-(?:orig|crawler)-(content-encoding|content-length|transfer-encoding)$/i;

function asRecorded(
  headers: [name: string, value: string][],
): Pick<RecordedExchange, 'headers' | 'bodyIs'> {
  const isEncoded = headerValue(headers, 'content-encoding') !== null;
  let bodyIs: RecordedExchange['bodyIs'] = 'as sent';
  const own = headers.flatMap(([name, value]): [string, string][] => {
    const original = ORIGINAL.exec(name)?.[1]?.toLowerCase();
    if (original === undefined) return [[name, value]];
    if (original !== 'content-encoding' || isEncoded) return [];
    bodyIs = 'decoded';
    return [[original, value]];
  });
  return { headers: own, bodyIs };
}
