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
    // Written by this project's own export.
    unanswered: Math.min(Math.floor(quantityOf(below(page, '_unanswered')) ?? 0), limits.entries),
    notes,
  };
}

function namedDocument(document: string, archive: string): string {
  if (cacheUrl(document) !== null) return document;
  throw new ImportError(
    `--document ${document} is not a web address. For ${archive}, use the page's URL, such as https://www.example.org/.`,
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
  // Larger values are not valid dates.
  return new Date(Math.min(timeMs, 8.64e15)).toISOString();
}

function nameOf(entry: unknown, index: number): string {
  const url = shown(textOf(below(entry, 'request', 'url')) ?? 'without a URL');
  return `entry ${index} (${url})`;
}

/** Types of browsers, and ours. */
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

/** Converts an entry of a HAR to an exchange, with notes on what was lost. */
async function harExchange(
  entry: unknown,
  where: string,
  attached: (name: string) => Promise<Uint8Array | null>,
  limits: ImportLimits,
): Promise<ReadEntry> {
  const request = below(entry, 'request');
  const response = below(entry, 'response');
  const requestHeaders = headersOf(request, limits.headers);
  if (isReport(entry, requestHeaders)) return 'a report that the browser sends by itself';
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
  const notes = isFromCache ? ['status 304 became 200, with the body from the browser cache'] : [];
  return {
    exchange: {
      where,
      // WebPageTest may omit it.
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
      // Tools without this number write 0.
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

/** Why the browser did not deliver the response to the page, from fields of DevTools and Playwright. */
function failureOf(response: unknown): string | undefined {
  return textOf(below(response, '_error')) || textOf(below(response, '_failureText')) || undefined;
}

/** Reports about the page (Content-Security-Policy, Reporting API): browsers do not wait for their answers. */
function isReport(entry: unknown, requestHeaders: [string, string][]): boolean {
  const contentType = headerValue(requestHeaders, 'content-type') ?? '';
  return (
    below(entry, '_resourceType') === 'csp-violation-report' ||
    /^\s*application\/(csp-report|reports\+json)/i.test(contentType)
  );
}

function typeOf(entry: unknown, requestHeaders: [string, string][]): ResourceType | null {
  // Written by this project's own export.
  const own = RESOURCE_TYPES.find((type) => type === below(entry, '_type'));
  const name = textOf(below(entry, '_resourceType')) ?? textOf(below(entry, '_request_type')) ?? '';
  const type = TYPES.get(name.toLowerCase()) ?? null;
  const destination = typeOfRequest(requestHeaders);
  // Browsers treat the content of a frame as a document.
  const isFramed = destination === 'iframe' || below(entry, '_initiator', 'type') === 'parser';
  return own ?? (type === 'document' && isFramed ? 'iframe' : (type ?? destination));
}

/** A 304 does not repeat the content type, and some tools keep no headers. */
function withMediaType(headers: [string, string][], response: unknown): [string, string][] {
  const isLeftOut = headers.length === 0 || statusOf(below(response, 'status')) === 304;
  const media = textOf(below(response, 'content', 'mimeType')) ?? '';
  const isKnown = isLeftOut && /^[a-z]+\/[!-~]/i.test(media);
  const isNew = headerValue(headers, 'content-type') === null;
  return isKnown && isNew ? [...headers, ['content-type', media]] : headers;
}

/**
 * Headers in order, at most one more than the limit. Browsers join values of repeated headers by line
 * feeds, so each line becomes a header; other line breaks stay, and the value is rejected later.
 */
function headersOf(message: unknown, most: number): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (const header of listOf(below(message, 'headers'))) {
    const name = textOf(below(header, 'name'));
    const value = textOf(below(header, 'value'));
    // Pseudo-headers of HTTP/2, such as `:status`.
    if (name === null || value === null || name.startsWith(':')) continue;
    for (const line of value.split('\n', most + 1)) headers.push([name, latin1(line)]);
    if (headers.length > most) break;
  }
  return headers.slice(0, most + 1);
}

/** Header values are bytes; a character beyond Latin-1 comes from decoded UTF-8. */
function latin1(value: string): string {
  return /[^\0-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

function withContentType(headers: [string, string][], contentType: string): [string, string][] {
  const at = headers.findIndex(([name]) => name.toLowerCase() === 'content-type');
  if (at === -1) return [...headers, ['content-type', contentType]];
  return headers.with(at, ['content-type', contentType]);
}

/** Time of the TCP handshake: `connect` includes the TLS handshake, which is subtracted. HTTP/3 has one for both. */
function tcpConnectMs(entry: unknown): number | undefined {
  const connectMs = quantityOf(below(entry, 'timings', 'connect'));
  if (connectMs === null || connectMs === 0) return undefined;
  const version = textOf(below(entry, 'response', 'httpVersion'))?.toLowerCase() ?? '';
  if (version.startsWith('h3') || version.startsWith('http/3')) return connectMs;
  const tlsMs = quantityOf(below(entry, 'timings', 'ssl')) ?? 0;
  return tlsMs < connectMs ? connectMs - tlsMs : undefined;
}
