import { ImportError } from './import-error.ts';
import { bodyFile } from './importers/body-file.ts';
import { BodyTooLargeError, checkCoding, encodeAgain } from './importers/content-coding.ts';
import { noFavicon } from './importers/favicon.ts';
import { cacheUrl } from './importers/file-url.ts';
import { headerValue } from './importers/header-block.ts';
import { resourceTypeOf } from './importers/media-types.ts';
import { redirectsToItself, redirectTarget } from './importers/navigation.ts';
import { replayableHeaders } from './importers/replayable-headers.ts';
import { roundTripsOf } from './importers/round-trips.ts';
import { shown } from './importers/shown.ts';
import { IMPORT_LIMITS, type ImportBudget, type ImportLimits, importBudget } from './limits.ts';
import {
  CACHE_FORMAT_VERSION,
  type Resource,
  type ResourceType,
  type SiteManifest,
} from './manifest.ts';
import { type Note, noteLines } from './notes.ts';
import { recordedRequests } from './recorded-requests.ts';
import type { RecordedExchange, Recording } from './recording.ts';

/** A page as a site of the cache, not yet written and not yet named. */
export interface RecordedSite {
  manifest: Omit<SiteManifest, 'site'>;
  bodies: Map<string, Uint8Array>;
  /** Everything that could not be kept as recorded, as lines for people. */
  notes: string[];
}

/**
 * Makes a site of a recording, by the rules in README.md ("Imported pages"), the same for every format.
 * @param file what messages call the archive or the recording
 * @throws ImportError when there is no main document, or a limit is passed
 */
export function siteOfRecording(
  recording: Recording,
  {
    file,
    kind = 'imported',
    limits = IMPORT_LIMITS,
  }: { file: string; kind?: 'imported' | 'recorded'; limits?: Readonly<ImportLimits> },
): RecordedSite {
  const budget = importBudget(file, limits);
  const notes: Note[] = [...recording.notes];
  const wantedUrl = recording.documentUrl === null ? null : cacheUrl(recording.documentUrl);
  const kept = new Map<string, Replayable>();
  /** Why responses of these URLs were skipped. */
  const skipped = new Map<string, Note | undefined>();
  for (const exchange of recording.exchanges) {
    budget.takeEntry();
    const next = replayable(exchange, kept, budget, notes);
    if (next) kept.set(keyOf(next.resource), next);
    else skipped.set(cacheUrl(exchange.url) ?? '', notes.at(-1));
  }
  const all = [...kept.values()];
  notes.push(...encodedAgain(all));
  const steps = documentOf(kept, wantedUrl, file, skipped);
  for (const { resource } of all) {
    if (resource.type === 'document') resource.type = 'iframe';
  }
  for (const { resource } of steps) resource.type = 'document';
  const main = steps.at(-1) as Replayable;
  addWaits(all);
  const resources = all.map(({ resource }) => resource);
  const favicon = noFavicon(main.resource.url, Buffer.from(main.decoded).toString('latin1'));
  if (favicon && !kept.has(keyOf(favicon))) resources.push(favicon);
  const recordedAt = momentOf(
    recording.recordedAt ?? headerValue(main.exchange.headers, 'date') ?? '',
  );
  return {
    manifest: {
      formatVersion: CACHE_FORMAT_VERSION,
      url: steps[0].resource.url,
      source: recording.source,
      kind,
      complete: false,
      ...(recordedAt === null ? {} : { recordedAt }),
      ...addressesOf(all),
      requests: recordedRequests(recording, kept.size),
      resources,
    },
    bodies: new Map(
      all.flatMap(({ resource, body }) => (resource.body ? [[resource.body, body]] : [])),
    ),
    notes: noteLines(notes),
  };
}

/** A resource with what the manifest does not hold. */
interface Replayable {
  exchange: RecordedExchange;
  resource: Resource;
  body: Uint8Array;
  decoded: Uint8Array;
}

/** Null: a response that cannot be replayed to a browser that asks for the first time; a note says why. */
function replayable(
  exchange: RecordedExchange,
  kept: ReadonlyMap<string, Replayable>,
  budget: ImportBudget,
  notes: Note[],
): Replayable | null {
  const note = (text: string) => notes.push({ where: exchange.where, text });
  const unfit = problemOf(exchange, budget.limits);
  if (unfit !== null) {
    note(`skipped, ${unfit}`);
    return null;
  }
  const method = exchange.method as Resource['method'];
  const url = cacheUrl(exchange.url) as string;
  const earlier = kept.get(keyOf({ method, url }));
  if (earlier) {
    note(`skipped, the same URL as an earlier one: ${earlier.exchange.where}`);
    return null;
  }
  const { headers, notes: headerNotes } = replayableHeaders(withoutWholeRange(exchange));
  const status = exchange.status === 206 ? 200 : exchange.status;
  if (redirectsToItself({ ...exchange, headers })) {
    note(`skipped, it redirects from http to https, and all URLs are https here`);
    return null;
  }
  headerNotes.forEach(note);
  const { port } = new URL(exchange.url);
  if (port !== '') note(`port ${port} dropped, all servers stand on 443`);
  const { body, decoded, contentEncoding } = bodyOf(exchange, budget, note);
  if (contentEncoding) headers.push(['content-encoding', contentEncoding]);
  const resource: Resource = {
    url,
    method,
    status,
    type: exchange.type ?? resourceTypeOf(headerValue(headers, 'content-type'), url),
    headers,
    ...bodyFile(kept.size, url, body),
    contentEncoding,
    decodedBytes: decoded.length,
  };
  return { exchange, resource, body, decoded };
}

/** Why an exchange is no answer that could be replayed; null: it is one. */
function problemOf(exchange: RecordedExchange, limits: Readonly<ImportLimits>): string | null {
  const { method, url, status, headers, body, whyNoBody } = exchange;
  if (url.length > limits.urlLength) {
    return `its URL is too long: ${url.length} characters, at most ${limits.urlLength} are imported`;
  }
  if (cacheUrl(url) === null) return 'not a web address that can be served';
  if (method !== 'GET' && method !== 'POST') return 'only GET and POST are replayed';
  if (status === 0) return 'it had no response';
  if (!Number.isInteger(status) || status < 200 || status > 599 || status === 304) {
    return NO_FIRST_ANSWER(status);
  }
  if (status === 206 && !isWholeRange(exchange)) return NO_FIRST_ANSWER(status);
  if (headers.length > limits.headers) {
    return `it has more than ${limits.headers} headers`;
  }
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (headerBytes > limits.headerBytes) {
    return `its headers are too long: ${headerBytes} bytes, at most ${limits.headerBytes} are imported`;
  }
  return body === null ? (whyNoBody ?? 'its body was not recorded') : null;
}

const NO_FIRST_ANSWER = (status: number) =>
  `status ${status} is no answer to a first request for the whole resource`;

/** Whether a 206 holds the whole resource, as answers to `Range: bytes=0-` do (media elements ask so). */
function isWholeRange({ headers, body }: RecordedExchange): boolean {
  const range = headerValue(headers, 'content-range') ?? '';
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(range.trim()) ?? [];
  return last !== undefined && Number(last) + 1 === Number(size) && body?.length === Number(size);
}

function withoutWholeRange({ status, headers }: RecordedExchange): [string, string][] {
  if (status !== 206) return headers;
  return headers.filter(([name]) => name.toLowerCase() !== 'content-range');
}

function bodyOf(
  exchange: RecordedExchange,
  budget: ImportBudget,
  note: (text: string) => void,
): Pick<Replayable, 'body' | 'decoded'> & Pick<Resource, 'contentEncoding'> {
  const recorded = exchange.body ?? new Uint8Array();
  const isEmpty = exchange.status === 204 || exchange.status === 205;
  if (isEmpty && recorded.length > 0) note(`body dropped, status ${exchange.status} has none`);
  const bytes = isEmpty ? new Uint8Array() : recorded;
  budget.takeBody(bytes.length, exchange.where);
  const codings = exchange.headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  const coding = codings.map(([, value]) => value).join(', ');
  if (exchange.bodyIs === 'decoded') {
    const encoded = encodeAgain(coding, bytes);
    if (encoded.note) note(encoded.note);
    return { body: encoded.body, decoded: bytes, contentEncoding: encoded.contentEncoding };
  }
  try {
    const checked = checkCoding(coding, bytes, budget.limits.bodyBytes);
    if (checked.note) note(checked.note);
    if (checked.contentEncoding) budget.takeBody(checked.decoded.length, exchange.where);
    return { body: bytes, decoded: checked.decoded, contentEncoding: checked.contentEncoding };
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new ImportError(
      `${exchange.where}: the body unpacks to more than ${budget.limits.bodyBytes.toLocaleString('en-US')} bytes. Leave this response out of the archive.`,
    );
  }
}

/** The URL that is navigated to, and the responses that this gives: redirects, then the document. */
function documentOf(
  kept: ReadonlyMap<string, Replayable>,
  wantedUrl: string | null,
  file: string,
  skipped: ReadonlyMap<string, Note | undefined>,
): [first: Replayable, ...rest: Replayable[]] {
  const first = wantedUrl === null ? firstPage(kept) : kept.get(`GET ${wantedUrl}`);
  if (!first) {
    const what =
      wantedUrl === null
        ? 'no response is a page in HTML'
        : `the document ${shown(wantedUrl)} is not among the responses that can be kept`;
    const skip = skipped.get(wantedUrl ?? '');
    const [why] = noteLines(skip ? [skip] : []);
    throw new ImportError(
      `${file}: ${what}${why ? ` (${why})` : ''}. Save the page again, or name another with --document.`,
    );
  }
  const steps: [Replayable, ...Replayable[]] = [first];
  for (let step = first; isRedirect(step.resource); ) {
    const target = redirectTarget(step.resource);
    const next = target === null ? undefined : kept.get(`GET ${target}`);
    if (!next || steps.includes(next)) {
      throw new ImportError(
        `${file}: the document ${shown(first.resource.url)} redirects to ${shown(target ?? 'nowhere')}, which the archive does not have. Name another with --document.`,
      );
    }
    steps.push(next);
    step = next;
  }
  return steps;
}

function firstPage(kept: ReadonlyMap<string, Replayable>): Replayable | undefined {
  const gets = [...kept.values()].filter(({ resource }) => resource.method === 'GET');
  return (
    gets.find(({ exchange }) => exchange.type === 'document') ??
    gets.find(({ resource }) => resource.status === 200 && isHtml(resource.type))
  );
}

function isHtml(type: ResourceType): boolean {
  return type === 'document' || type === 'iframe';
}

function isRedirect({ status, headers }: Resource): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headerValue(headers, 'location') !== null;
}

/** One note for all bodies that had to be compressed again. */
function encodedAgain(kept: Replayable[]): string[] {
  const again = kept.filter(
    ({ exchange, resource }) => exchange.bodyIs === 'decoded' && resource.contentEncoding !== null,
  );
  if (again.length === 0) return [];
  const bytes = again.reduce((sum, { resource }) => sum + resource.wireBytes, 0);
  const known = again.every(({ exchange }) => (exchange.sizes?.wireBytes ?? null) !== null);
  const recorded = again.reduce((sum, { exchange }) => sum + (exchange.sizes?.wireBytes ?? 0), 0);
  const before =
    known && recorded !== bytes ? `, as recorded they had ${recorded.toLocaleString('en-US')}` : '';
  return [
    `${again.length} bodies compressed again, since only their decoded bytes were recorded: ${bytes.toLocaleString('en-US')} bytes${before}`,
  ];
}

/** Gives resources the time that their server took, where the recording tells it. */
function addWaits(kept: Replayable[]): void {
  const roundTripMs = roundTripsOf(kept.map(({ exchange }) => exchange));
  for (const { exchange, resource } of kept) {
    if (exchange.serverMs !== undefined) {
      resource.waitMs = exchange.serverMs;
      continue;
    }
    const rttMs = roundTripMs.get(new URL(exchange.url).host);
    if (exchange.waitMs === undefined || rttMs === undefined) continue;
    // To the microsecond: no recording is more exact.
    resource.waitMs = Math.max(0, Math.round((exchange.waitMs - rttMs) * 1000) / 1000);
  }
}

function addressesOf(kept: Replayable[]): Pick<SiteManifest, 'addresses'> {
  const addresses: Record<string, string> = {};
  for (const { exchange, resource } of kept) {
    const { host } = new URL(resource.url);
    if (exchange.serverAddress) addresses[host] ??= exchange.serverAddress;
  }
  return Object.keys(addresses).length === 0 ? {} : { addresses };
}

function momentOf(text: string): string | null {
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}

function keyOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${url}`;
}
