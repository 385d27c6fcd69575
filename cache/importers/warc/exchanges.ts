import { shown } from '../../import-error.ts';
import type { ImportBudget } from '../../limits.ts';
import { lost, type Note } from '../../notes.ts';
import type { RecordedExchange } from '../../recording.ts';
import { cacheUrl } from '../file-url.ts';
import { headerValue } from '../header-block.ts';
import { readRequest, readResponse, type SentRequest, typeOfRequest } from '../http-message.ts';
import type { ArchivePage } from '../importer.ts';
import { type ArchiveContent, ipAddress } from '../recording-of.ts';
import { pageOf, type WarcRecord, warcField, warcInfo } from './records.ts';

/** Browsertrix's prefix of a page's URL, in a record about the page. */
const PAGE_INFO = 'urn:pageinfo:';

/** A response that waits for its request, and a revisit also for its body. */
interface PendingResponse {
  record: WarcRecord;
  /** null: a revisit. */
  exchange: RecordedExchange | null;
}

/**
 * Converts records to exchanges: joins responses with their requests, and revisits with the body of
 * the original.
 */
export function warcCollector(budget: ImportBudget) {
  const answers: PendingResponse[] = [];
  const notes: Note[] = [];
  const pages: ArchivePage[] = [];
  const requests = createRequestIndex(budget);
  const bodies = createBodyIndex();
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

  const exchangeOf = ({ record, exchange }: PendingResponse): RecordedExchange | null => {
    if (exchange !== null) return exchange;
    const note = (text: string) => notes.push({ where: record.where, text });
    const revisit = revisitExchange(record, bodies.of(record), budget, note);
    if (typeof revisit !== 'string') return revisit;
    notes.push(lost(record.where, revisit, record.url));
    return null;
  };

  return {
    /** @throws ImportError when a limit is exceeded */
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
      // DNS answers, screenshots, notes of the crawler: not from a web server.
      else if (cacheUrl(record.url) === null) return;
      else if (record.type === 'metadata') requests.addReferer(record);
      else if (record.type === 'continuation') note('skipped, a part of a body cannot be imported');
      else if (record.type === 'response')
        addAnswer(record, responseExchange(record, budget, note));
      else if (record.type === 'resource') addAnswer(record, resourceExchange(record));
      else if (record.type === 'revisit') answers.push({ record, exchange: null });
    },
    /**
     * Pages and exchanges, in the order of the responses' records.
     * @throws ImportError when a limit is exceeded
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

/** Converts a `response` record; a sentence part gives the reason if it cannot be used. */
function responseExchange(
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
  return { ...commonFields(record), status, ...originalHeaders(headers), body, type: null };
}

/** Converts a `resource` record: a body without HTTP. */
function resourceExchange(record: WarcRecord): RecordedExchange {
  const contentType = record.header('content-type');
  return {
    ...commonFields(record),
    status: 200,
    headers: contentType === null ? [] : [['content-type', contentType]],
    body: record.block,
    bodyIs: 'as sent',
    type: null,
  };
}

/** Converts a `revisit` record, which repeats another response's body. null: no response; a sentence part names what is missing. */
function revisitExchange(
  record: WarcRecord,
  original: RecordedExchange | undefined,
  budget: ImportBudget,
  note: (text: string) => void,
): RecordedExchange | string | null {
  const response = record.block.length === 0 ? null : readResponse(record.block, budget.limits);
  if (!original) {
    return 'its body is in another archive: import a folder with all WARCs of the crawl';
  }
  if (response !== null && typeof response !== 'string' && response.status === 304) return null;
  if (typeof response === 'string') return response;
  note(`its body is that of another answer: ${original.where}`);
  budget.takeBody(original.body?.length ?? 0, record.where);
  const { body, bodyIs, headers, status } = original;
  const own = response === null ? { status, headers } : response;
  return {
    ...commonFields(record),
    status: own.status,
    headers: bodyIs === 'decoded' ? originalHeaders(own.headers).headers : own.headers,
    body,
    bodyIs,
    type: null,
  };
}

function commonFields(record: WarcRecord) {
  const timeMs = Date.parse(record.header('warc-date') ?? '');
  return {
    where: record.where,
    method: 'GET',
    url: record.url,
    startedAt: Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString(),
    serverAddress: ipAddress(record.header('warc-ip-address')),
  };
}

/** Names that browsers' crawlers and Common Crawl give to headers that no longer apply to decoded bodies. */
const ORIGINAL = /^x-(?:orig|crawler)-(content-encoding|content-length|transfer-encoding)$/i;

function originalHeaders(
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

/** Finds the response whose body a `revisit` record repeats. */
function createBodyIndex() {
  const found = new Map<string, RecordedExchange>();
  const put = (key: string | null, exchange: RecordedExchange) => {
    if (key !== null && !found.has(key)) found.set(key, exchange);
  };
  return {
    add: ({ header, url }: WarcRecord, exchange: RecordedExchange): void => {
      put(idKey(header('warc-record-id')), exchange);
      put(digestKey(header('warc-payload-digest')), exchange);
      put(urlKey(url, header('warc-date')), exchange);
      put(urlKey(url, null), exchange);
    },
    /** Searches by record id, then digest, then URL and time. */
    of: ({ header, url }: WarcRecord): RecordedExchange | undefined => {
      const isUnchanged = /\/server-not-modified$/.test(header('warc-profile') ?? '');
      const of = header('warc-refers-to-target-uri') ?? (isUnchanged ? url : null);
      const keys = [
        idKey(header('warc-refers-to')),
        // Heritrix writes the digest of the empty body of a 304.
        isUnchanged ? null : digestKey(header('warc-payload-digest')),
        of === null ? null : urlKey(of, header('warc-refers-to-date')),
      ];
      return keys.map((key) => found.get(key ?? '')).find((exchange) => exchange !== undefined);
    },
  };
}

function idKey(id: string | null): string | null {
  return id === null ? null : `id ${id}`;
}

function digestKey(digest: string | null): string | null {
  return digest === null ? null : `digest ${plainDigest(digest)}`;
}

/** Key of a URL at a time in whole seconds: some programs write the fraction in only one of the two records. */
function urlKey(url: string, date: string | null): string {
  return `url ${url} ${date?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length) ?? ''}`;
}

type RequestFields = Pick<RecordedExchange, 'method' | 'requestHeaders' | 'type'>;

/** Finds the request of a response; either record may name the other. */
function createRequestIndex(budget: ImportBudget) {
  const byId = new Map<string, SentRequest>();
  const byAnswer = new Map<string, SentRequest>();
  /** URL from which a crawler came to a URL, by the latter. */
  const refererByUrl = new Map<string, string>();
  return {
    add: (record: WarcRecord): void => {
      const request = readRequest(record.block, budget.limits);
      if (request === null) return;
      const id = record.header('warc-record-id');
      if (id !== null) byId.set(id, request);
      for (const answer of concurrentTo(record)) byAnswer.set(answer, request);
    },
    /** Reads Heritrix's metadata of a URL. */
    addReferer: ({ url, block }: WarcRecord): void => {
      const referer = warcField(block, 'via');
      if (referer !== null) refererByUrl.set(url, referer);
    },
    of: (record: WarcRecord): Partial<RequestFields> => {
      const request =
        byAnswer.get(record.header('warc-record-id') ?? '') ??
        concurrentTo(record)
          .map((id) => byId.get(id))
          .find((found) => found !== undefined);
      const headers = request?.headers ?? [];
      const referer = refererByUrl.get(record.url);
      const isSent = referer === undefined || headerValue(headers, 'referer') !== null;
      const requestHeaders: typeof headers = isSent ? headers : [...headers, ['referer', referer]];
      if (!request) return isSent ? {} : { requestHeaders };
      return { method: request.method, requestHeaders, type: typeOfRequest(headers) };
    },
  };
}

function concurrentTo(record: WarcRecord): string[] {
  // Repeated headers are joined by commas.
  return (record.header('warc-concurrent-to') ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = new Map<string, number>(
  Object.entries({ md5: 128, sha1: 160, sha256: 256, sha512: 512 }),
);

/**
 * Normalises a digest: `sha256:` or `SHA-256:`, in hexadecimal or base32. Other texts are returned
 * unchanged.
 */
export function plainDigest(written: string): string {
  const [, label = '', digits = ''] = /^([^:]{0,20}):(.*)$/s.exec(written.trim()) ?? [];
  const algorithm = label.toLowerCase().replaceAll('-', '');
  const bits = BITS.get(algorithm);
  const value = digits.replace(/(?<!=)=+$/, '');
  if (bits === undefined) return written;
  if (value.length === bits / 4) return `${algorithm}:${value.toLowerCase()}`;
  return value.length === Math.ceil(bits / 5) ? `${algorithm}:${hexOf(value, bits)}` : written;
}

function hexOf(base32: string, bits: number): string {
  const digits = Array.from(base32.toUpperCase(), (digit) =>
    BASE32.indexOf(digit).toString(2).padStart(5, '0'),
  );
  const hex = digits.join('').slice(0, bits).match(/.{4}/g) ?? [];
  return hex.map((four) => Number.parseInt(four, 2).toString(16)).join('');
}
