import { countText } from '../kit/text/number.ts';
import { ImportError, shown } from './import-error.ts';
import {
  type Answer,
  type Answers,
  answersOf,
  type BounceAnswer,
  exclude,
  keyOf,
  stepsFrom,
} from './importers/answers.ts';
import { BodyTooLargeError, checkCoding, reencode } from './importers/content-coding.ts';
import { cacheUrl } from './importers/file-url.ts';
import { headerValue } from './importers/header-block.ts';
import { resourceTypeOf } from './importers/media-types.ts';
import { isHtml } from './importers/navigation.ts';
import { replayableHeaders } from './importers/replayable-headers.ts';
import { bodyFile, noFavicon } from './importers/resource.ts';
import { roundTripsOf } from './importers/round-trips.ts';
import { IMPORT_LIMITS, type ImportBudget, type ImportLimits, importBudget } from './limits.ts';
import {
  CACHE_FORMAT_VERSION,
  type Resource,
  type ResourceType,
  type SiteManifest,
} from './manifest.ts';
import { type Note, noteLines, skippedEntries } from './notes.ts';
import { recordedRequests } from './recorded-requests.ts';
import type { RecordedExchange, Recording } from './recording.ts';
import type { Bounce } from './response-headers.ts';

/** A page as a site of the cache, without a name, not yet written. */
export interface RecordedSite {
  manifest: Omit<SiteManifest, 'site'>;
  bodies: Map<string, Uint8Array>;
  /** Losses and changes, as lines for people. */
  notes: string[];
}

/**
 * Makes a site of a recording of any format, by the rules in README.md ("Imported pages").
 * @param file name of the archive or recording in messages
 * @throws ImportError without a main document, or when a limit is exceeded
 */
export function siteOfRecording(
  recording: Recording,
  {
    file,
    kind = 'imported',
    budget = importBudget(file, IMPORT_LIMITS),
    answered = answersOf(recording, budget),
  }: {
    file: string;
    kind?: 'imported' | 'recorded';
    budget?: ImportBudget;
    answered?: Answers;
  },
): RecordedSite {
  const { answers, excluded, notes: exclusionNotes } = answered;
  const notes: Note[] = [...recording.notes, ...exclusionNotes];
  const kept = new Map<string, Replayable>();
  for (const [key, answer] of answers) {
    const { body, whyNoBody = 'its body was not recorded' } = answer.exchange;
    if (body !== null) kept.set(key, replayable(answer, body, kept.size, budget, notes));
    else exclude({ excluded, notes }, answer.exchange, whyNoBody);
  }
  const all = [...kept.values()];
  notes.push(...reencodingNotes(all));
  const steps = documentOf(kept, recording.documentUrl, file, exclusionReasons(notes, excluded));
  notes.push(...unloadablePages(all));
  for (const { resource } of all) {
    if (resource.type === 'document') resource.type = 'iframe';
  }
  for (const { resource } of steps) resource.type = 'document';
  const main = steps.at(-1) as Replayable;
  assertPage(main, file);
  notes.push(...errorPage(main));
  assertCookies(all, file, budget.limits);
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

/** A resource with facts that the manifest does not have. */
interface Replayable extends Answer {
  resource: Resource;
  body: Uint8Array;
  decoded: Uint8Array;
}

function replayable(
  answer: Answer,
  recorded: Uint8Array,
  index: number,
  budget: ImportBudget,
  notes: Note[],
): Replayable {
  const { exchange, url, method } = answer;
  const note = (text: string) => notes.push({ where: exchange.where, text });
  const { headers, notes: headerNotes } = replayableHeaders(withoutWholeRange(exchange));
  headerNotes.forEach(note);
  const { port } = new URL(exchange.url);
  if (port !== '') note(`port ${port} dropped, all servers use 443`);
  const { body, decoded, contentEncoding } = bodyOf(exchange, recorded, budget, note);
  if (contentEncoding) headers.push(['content-encoding', contentEncoding]);
  const resource: Resource = {
    url,
    method,
    status: exchange.status === 206 ? 200 : exchange.status,
    type: exchange.type ?? resourceTypeOf(headerValue(headers, 'content-type'), url),
    headers,
    ...bodyFile(index, url, body),
    contentEncoding,
    decodedBytes: decoded.length,
  };
  if (answer.bounces.length > 0) {
    resource.bounces = answer.bounces.map((bounce) => bounceOf(bounce, notes));
  }
  return { ...answer, resource, body, decoded };
}

function bounceOf(
  { cookie, exchange: { where, status, headers, body } }: BounceAnswer,
  notes: Note[],
): Bounce {
  const replayed = replayableHeaders(headers);
  notes.push(...replayed.notes.map((text) => ({ where, text })));
  if (body && body.length > 0)
    notes.push({ where, text: 'body dropped: browsers ignore the body of a redirect' });
  return { cookie, status, headers: replayed.headers };
}

function withoutWholeRange({ status, headers }: RecordedExchange): [string, string][] {
  if (status !== 206) return headers;
  return headers.filter(([name]) => name.toLowerCase() !== 'content-range');
}

function bodyOf(
  exchange: RecordedExchange,
  recorded: Uint8Array,
  budget: ImportBudget,
  note: (text: string) => void,
): Pick<Replayable, 'body' | 'decoded'> & Pick<Resource, 'contentEncoding'> {
  const isEmpty = exchange.status === 204 || exchange.status === 205;
  if (isEmpty && recorded.length > 0) note(`body dropped: status ${exchange.status} has no body`);
  const bytes = isEmpty ? new Uint8Array() : recorded;
  budget.takeBody(bytes.length, exchange.where);
  const codings = exchange.headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  const coding = codings.map(([, value]) => value).join(', ');
  if (exchange.bodyIs === 'decoded') {
    const encoded = reencode(coding, bytes);
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
      `${exchange.where}: the body unpacks to more than ${countText(budget.limits.bodyBytes)} bytes. Remove this response from the archive.`,
    );
  }
}

/**
 * Rejects a page with cookies that exceed the limit of some stacks. Counts each cookie once, at its longest, on all hosts together.
 * @throws ImportError
 */
function assertCookies(
  all: readonly Replayable[],
  file: string,
  { cookieBytes }: ImportLimits,
): void {
  const lengths = new Map<string, number>();
  for (const [name, value] of all.flatMap(({ resource }) => resource.headers)) {
    if (name !== 'set-cookie') continue;
    const [cookie = ''] = value.split(';', 1);
    const [key = ''] = cookie.split('=', 1);
    lengths.set(key, Math.max(lengths.get(key) ?? 0, cookie.length));
  }
  const bytes = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  if (bytes <= cookieBytes) return;
  throw new ImportError(
    `${file}: the page sets cookies of ${bytes} bytes, and servers accept at most ${cookieBytes}. Exclude the responses that set them: --without URL,...`,
  );
}

function assertPage({ resource: { headers, status, url } }: Replayable, file: string): void {
  if (status === 204 || status === 205) {
    throw new ImportError(
      `${file}: the document ${shown(url)} has status ${status}, with which Chromium does not navigate. Name another page.`,
    );
  }
  if (/^\s*application\/(x-)?pdf\b/i.test(headerValue(headers, 'content-type') ?? '')) {
    throw new ImportError(
      `${file}: the document ${shown(url)} is a PDF, which Chromium shows in an extension. Name another page.`,
    );
  }
  if (/^\s*attachment\b/i.test(headerValue(headers, 'content-disposition') ?? '')) {
    throw new ImportError(
      `${file}: the document ${shown(url)} is an attachment, which Chromium downloads. Name another page.`,
    );
  }
}

/** An error page loads like any other, but is rarely intended. */
function errorPage({ exchange, resource: { status } }: Replayable): Note[] {
  if (status < 400) return [];
  return [{ where: exchange.where, text: `the document is an error: status ${status}` }];
}

/** Answers of the navigation: redirects, then the document. */
function documentOf(
  kept: ReadonlyMap<string, Replayable>,
  documentUrl: string | null,
  file: string,
  whyNot: (url: string | null) => string | undefined,
): [first: Replayable, ...rest: Replayable[]] {
  const wantedUrl = documentUrl === null ? null : cacheUrl(documentUrl);
  const first = wantedUrl === null ? firstPage(kept) : kept.get(`GET ${wantedUrl}`);
  if (!first) {
    const what =
      wantedUrl === null
        ? 'no response is an HTML page'
        : `the document ${shown(wantedUrl)} is not among the responses that can be kept`;
    const post = wantedUrl === null ? firstPost(kept) : kept.get(`POST ${wantedUrl}`);
    const why = post
      ? `${wantedUrl === null ? `${post.exchange.where} ` : ''}${ANSWERS_POST}`
      : (whyNot(wantedUrl) ?? (wantedUrl === null ? describeFirst(kept) : null));
    throw new ImportError(
      `${file}: ${what}${why ? ` (${why})` : ''}. Save the page again, or name another with --document.`,
    );
  }
  const [, ...rest] = stepsFrom(first, kept);
  const { target } = rest.at(-1) ?? first;
  if (target === null) return [first, ...rest];
  const why = whyNot(target) ?? 'the archive does not have it';
  throw new ImportError(
    `${file}: the document ${shown(first.url)} redirects to ${shown(target)}, which cannot be kept (${why}). Name another with --document.`,
  );
}

function describeFirst(kept: ReadonlyMap<string, Replayable>): string | null {
  const [first] = kept.values();
  if (first === undefined) return null;
  const { url, status, headers } = first.resource;
  const type = headerValue(headers, 'content-type');
  return `the first, ${shown(url)}, has status ${status} and ${type === null ? 'no content type' : `the type ${shown(type, 40)}`}`;
}

const ANSWERS_POST = 'answers a POST, and a load begins with a GET';

/** Answers that only a form or a script gets. */
function isUnloadable({ exchange, resource: { method, status } }: Replayable): boolean {
  const isPage = exchange.type === null ? isHtml(exchange) : exchange.type === 'document';
  return method === 'POST' && status === 200 && isPage;
}

function firstPost(kept: ReadonlyMap<string, Replayable>): Replayable | undefined {
  return [...kept.values()].find(isUnloadable);
}

function unloadablePages(kept: Replayable[]): Note[] {
  const text = `cannot be the document, since it ${ANSWERS_POST}`;
  return kept.filter(isUnloadable).map(({ exchange: { where } }) => ({ where, text }));
}

/** Finds why a URL has no response, among excluded responses and lost entries. null: the first reason of any URL. */
function exclusionReasons(
  notes: readonly Note[],
  excluded: ReadonlyMap<string, string>,
): (url: string | null) => string | undefined {
  return (url) => {
    const skipped = skippedEntries(notes);
    if (url === null) {
      const lostEntry = skipped.find(({ isLost }) => isLost);
      if (lostEntry) return `excluded: ${lostEntry.where}: ${lostEntry.why}`;
      const [first] = excluded;
      return first && `excluded: ${shown(first[0])}: ${first[1]}`;
    }
    return excluded.get(url) ?? skipped.find((note) => cacheUrl(note.url ?? '') === url)?.why;
  };
}

function firstPage(kept: ReadonlyMap<string, Replayable>): Replayable | undefined {
  const gets = [...kept.values()].filter(({ resource }) => resource.method === 'GET');
  return (
    gets.find(({ exchange }) => exchange.type === 'document') ??
    gets.find(({ resource }) => resource.status === 200 && isHtmlResource(resource.type))
  );
}

function isHtmlResource(type: ResourceType): boolean {
  return type === 'document' || type === 'iframe';
}

/** One note for all bodies that were compressed again. */
function reencodingNotes(kept: Replayable[]): string[] {
  const again = kept.filter(
    ({ exchange, resource }) => exchange.bodyIs === 'decoded' && resource.contentEncoding !== null,
  );
  if (again.length === 0) return [];
  const bytes = again.reduce((sum, { resource }) => sum + resource.wireBytes, 0);
  const known = again.every(({ exchange }) => (exchange.sizes?.wireBytes ?? null) !== null);
  const recorded = again.reduce((sum, { exchange }) => sum + (exchange.sizes?.wireBytes ?? 0), 0);
  const before = known && recorded !== bytes ? `, as recorded they had ${countText(recorded)}` : '';
  return [
    `${again.length} bodies compressed again, since only their decoded bytes were recorded: ${countText(bytes)} bytes${before}`,
  ];
}

/** Gives resources and their bounces the recorded server time. */
function addWaits(kept: Replayable[]): void {
  const waiting = kept.flatMap(({ exchange, bounces, resource }) => [
    { exchange, waits: resource },
    ...bounces.map((bounce, index) => ({ ...bounce, waits: resource.bounces?.[index] })),
  ]);
  const roundTripMs = roundTripsOf(waiting.map(({ exchange }) => exchange));
  for (const { exchange, waits } of waiting) {
    const waitMs = serverMsOf(exchange, roundTripMs.get(new URL(exchange.url).host));
    if (waits && waitMs !== undefined) waits.waitMs = waitMs;
  }
}

function serverMsOf(
  { serverMs, waitMs }: RecordedExchange,
  rttMs: number | undefined,
): number | undefined {
  if (serverMs !== undefined || waitMs === undefined || rttMs === undefined) return serverMs;
  // In microseconds, as no recording is more precise.
  return Math.max(0, Math.round((waitMs - rttMs) * 1000) / 1000);
}

function addressesOf(kept: Replayable[]): Pick<SiteManifest, 'addresses'> {
  const addresses: Record<string, string> = Object.create(null);
  for (const { exchange, resource } of kept) {
    const { host } = new URL(resource.url);
    if (exchange.serverAddress) addresses[host] ??= exchange.serverAddress;
  }
  return Object.keys(addresses).length === 0 ? {} : { addresses: { ...addresses } };
}

function momentOf(text: string): string | null {
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}
