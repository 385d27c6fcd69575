import { countText } from '../../../kit/text/number.ts';
import { ImportError, shown } from '../../import-error.ts';
import { type ImportLimits, importBudget } from '../../limits.ts';
import { RESOURCE_TYPES, type ResourceType } from '../../manifest.ts';
import type { RecordedExchange, Recording } from '../../recording.ts';
import { headOf } from '../archive-file.ts';
import { cacheUrl } from '../file-url.ts';
import { readHarFile } from '../har-file.ts';
import { headerValue } from '../header-block.ts';
import { typeOfRequest } from '../http-message.ts';
import type { PageImporter, ReadOptions } from '../importer.ts';
import { below, listOf, momentOf, quantityOf, statusOf, textOf } from '../json.ts';
import { addEntry, importSource, ipAddress, type ReadEntry } from '../recording-of.ts';
import { isZip, zipHasName } from '../zip-archive.ts';
import { harBody, harSizes } from './body.ts';
import { addInitiators, documentOf, harPage, harPages } from './page.ts';

export const HAR: PageImporter = { recognise, read, pages: harPages };

async function recognise(archive: string): Promise<boolean> {
  const head = await headOf(archive);
  if (head === null) return false;
  if (isZip(head)) return zipHasName(archive, /\.har$/i);
  return (
    /\.har(\.gz)?$/i.test(archive) ||
    /^(\ufeff|\xef\xbb\xbf)?\s*\{\s*"log"\s*:/.test(head.toString('latin1'))
  );
}

async function read(archive: string, { limits, document }: ReadOptions): Promise<Recording> {
  const { log, attached } = await readHarFile(archive, limits);
  const budget = importBudget(archive, limits);
  const { length } = listOf(below(log, 'entries'));
  if (length > limits.entries) {
    throw new ImportError(
      `${archive} has ${countText(length)} entries, at most ${countText(limits.entries)} are imported. Give a HAR of one page.`,
    );
  }
  const { page, entries, notes } = harPage(log, document);
  const exchanges: RecordedExchange[] = [];
  const taken: unknown[] = [];
  for (const { entry, index } of entries) {
    const where = nameOf(entry, index);
    const read = await harExchange(entry, where, attached, limits);
    if (typeof read !== 'string') taken.push(entry);
    addEntry({ exchanges, notes }, where, read, budget);
  }
  addInitiators(exchanges, taken);
  const documentUrl =
    document === null ? documentOf(exchanges, taken, page) : namedDocument(document, archive);
  const recordedAt = momentOf(below(page, 'startedDateTime')) ?? exchanges[0]?.startedAt ?? null;
  const loadMs = quantityOf(below(page, 'pageTimings', 'onLoad'));
  return {
    documentUrl,
    source: sourceOf(log, documentUrl, recordedAt),
    recordedAt,
    ...(recordedAt === null || loadMs === null
      ? {}
      : { loadedAt: laterMoment(recordedAt, loadMs) }),
    exchanges,
    // As this project's own export writes it.
    unanswered: Math.min(Math.floor(quantityOf(below(page, '_unanswered')) ?? 0), limits.entries),
    notes,
  };
}

function namedDocument(document: string, archive: string): string {
  if (cacheUrl(document) !== null) return document;
  throw new ImportError(
    `--document ${document} is not a web address. For ${archive} expected is the page's URL, as in https://www.example.org/.`,
  );
}

function sourceOf(log: unknown, documentUrl: string | null, recordedAt: string | null): string {
  const own = textOf(below(log, '_source'));
  if (own !== null && own !== '') return shown(own, 400);
  const by = [below(log, 'browser'), below(log, 'creator')]
    .map(
      (program) =>
        `${textOf(below(program, 'name')) ?? ''} ${textOf(below(program, 'version')) ?? ''}`,
    )
    .map((program) => shown(program.trim(), 80));
  const program = by.find((name) => name !== '') ?? 'an unknown program';
  return importSource(`a HAR made by ${program}`, documentUrl, recordedAt);
}

function laterMoment(moment: string, byMs: number): string {
  const timeMs = Date.parse(moment) + byMs;
  // Beyond this a Date is invalid.
  return new Date(Math.min(timeMs, 8.64e15)).toISOString();
}

function nameOf(entry: unknown, index: number): string {
  const url = shown(textOf(below(entry, 'request', 'url')) ?? 'without a URL');
  return `entry ${index} (${url})`;
}

/** What the names that browsers give to kinds of requests are here. */
const TYPES: ReadonlyMap<string, ResourceType> = new Map([
  ['document', 'document'],
  ['stylesheet', 'stylesheet'],
  ['script', 'script'],
  ['image', 'image'],
  ['font', 'font'],
  ['xhr', 'xhr'],
  ['fetch', 'xhr'],
  ['media', 'other'],
  ['texttrack', 'other'],
  ['manifest', 'other'],
  ['ping', 'other'],
]);

/** One entry of a HAR as an exchange, with what could not be taken over. */
async function harExchange(
  entry: unknown,
  where: string,
  attached: (name: string) => Promise<Uint8Array | null>,
  limits: ImportLimits,
): Promise<ReadEntry> {
  const request = below(entry, 'request');
  const response = below(entry, 'response');
  const requestHeaders = headersOf(request, limits.headers);
  if (isReport(entry, requestHeaders)) return 'a report that browsers send by themselves';
  const headers = withMediaType(headersOf(response, limits.headers), response);
  const sizes = harSizes(entry, headers);
  const { body, bodyIs, contentType, note } = await harBody({
    response,
    headers,
    sizes,
    attached,
    maxBytes: limits.bodyBytes,
  });
  const timings = below(entry, 'timings');
  const status = statusOf(below(response, 'status'));
  const isFromCache = status === 304 && body?.length !== 0;
  const notes = isFromCache ? ['status 304 is 200 here, with the body that the browser had'] : [];
  return {
    exchange: {
      where,
      // WebPageTest leaves it open.
      method: (textOf(below(request, 'method')) || 'GET').toUpperCase(),
      url: textOf(below(request, 'url')) ?? '',
      status: isFromCache ? 200 : status,
      failure: failureOf(response),
      headers: contentType ? withContentType(headers, contentType) : headers,
      body,
      ...(body === null && note !== undefined ? { whyNoBody: note } : {}),
      bodyIs,
      type: typeOf(entry, requestHeaders),
      startedAt: momentOf(below(entry, 'startedDateTime')) ?? undefined,
      // Tools that know no wait write 0.
      waitMs: quantityOf(below(timings, 'wait')) || undefined,
      serverMs: quantityOf(below(timings, '_server')) ?? undefined,
      connectMs: tcpConnectMs(entry),
      requestHeaders,
      serverAddress: ipAddress(textOf(below(entry, 'serverIPAddress'))),
      sizes: body && bodyIs === 'decoded' ? { ...sizes, decodedBytes: body.length } : sizes,
    },
    notes: note === undefined || body === null ? notes : [...notes, note],
  };
}

/** Why the browser did not give the response to the page, as the DevTools and Playwright write; also one with a status. */
function failureOf(response: unknown): string | undefined {
  return textOf(below(response, '_error')) || textOf(below(response, '_failureText')) || undefined;
}

/** Reports about the page (Content-Security-Policy, Reporting API): browsers wait for no answer, and many get none. */
function isReport(entry: unknown, requestHeaders: [string, string][]): boolean {
  const contentType = headerValue(requestHeaders, 'content-type') ?? '';
  return (
    below(entry, '_resourceType') === 'csp-violation-report' ||
    /^\s*application\/(csp-report|reports\+json)/i.test(contentType)
  );
}

function typeOf(entry: unknown, requestHeaders: [string, string][]): ResourceType | null {
  // As this project's own export writes it.
  const own = RESOURCE_TYPES.find((type) => type === below(entry, '_type'));
  const name = textOf(below(entry, '_resourceType')) ?? textOf(below(entry, '_request_type')) ?? '';
  const type = TYPES.get(name.toLowerCase()) ?? null;
  const destination = typeOfRequest(requestHeaders);
  // To browsers what is in a frame is a document as well.
  const isFramed = destination === 'iframe' || below(entry, '_initiator', 'type') === 'parser';
  return own ?? (type === 'document' && isFramed ? 'iframe' : (type ?? destination));
}

/** A 304 repeats no content type, and some tools keep no headers at all. */
function withMediaType(headers: [string, string][], response: unknown): [string, string][] {
  const isLeftOut = headers.length === 0 || statusOf(below(response, 'status')) === 304;
  const media = textOf(below(response, 'content', 'mimeType')) ?? '';
  const isKnown = isLeftOut && /^[a-z]+\/[!-~]/i.test(media);
  const isNew = headerValue(headers, 'content-type') === null;
  return isKnown && isNew ? [...headers, ['content-type', media]] : headers;
}

/**
 * Headers in their order, and one more than the limit where there are more. Browsers join values of headers that came several times by line
 * feeds, so each line is a header of its own; other line breaks stay, and the value is refused for them later.
 */
function headersOf(message: unknown, most: number): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (const header of listOf(below(message, 'headers'))) {
    const name = textOf(below(header, 'name'));
    const value = textOf(below(header, 'value'));
    // `:status` and its like belong to HTTP/2 itself.
    if (name === null || value === null || name.startsWith(':')) continue;
    for (const line of value.split('\n', most + 1)) headers.push([name, latin1(line)]);
    if (headers.length > most) break;
  }
  return headers.slice(0, most + 1);
}

/** Header values are bytes; what cannot be one was UTF-8 that somebody decoded. */
function latin1(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

function withContentType(headers: [string, string][], contentType: string): [string, string][] {
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'content-type');
  if (at === -1) return [...headers, ['content-type', contentType]];
  return headers.with(at, ['content-type', contentType]);
}

/** The time of the TCP handshake: `connect` without the TLS handshake, which is part of it. HTTP/3 has one for both. */
function tcpConnectMs(entry: unknown): number | undefined {
  const connectMs = quantityOf(below(entry, 'timings', 'connect'));
  if (connectMs === null || connectMs === 0) return undefined;
  const version = textOf(below(entry, 'response', 'httpVersion'))?.toLowerCase() ?? '';
  if (version.startsWith('h3') || version.startsWith('http/3')) return connectMs;
  const tlsMs = quantityOf(below(entry, 'timings', 'ssl')) ?? 0;
  return tlsMs < connectMs ? connectMs - tlsMs : undefined;
}
