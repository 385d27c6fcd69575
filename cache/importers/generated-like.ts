import { generatePage } from '../generator/page.ts';
import { ImportError } from '../import-error.ts';
import { type ImportBudget, type ImportLimits, importBudget } from '../limits.ts';
import { hostsOf, type ResourceType } from '../manifest.ts';
import { type Note, noteLines } from '../notes.ts';
import { recordedRequests } from '../recorded-requests.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import type { PageShape, ShapeObject } from '../shapes/shapes.ts';
import type { RecordedSite } from '../site-of-recording.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { resourceTypeOf } from './media-types.ts';
import { redirectsToItself, redirectTarget } from './navigation.ts';
import { recordedOn } from './recording-of.ts';
import { shown } from './shown.ts';

/** Whether a recording has responses with sizes, but no body of any. */
export function isWithoutBodies({ exchanges }: Recording): boolean {
  return (
    exchanges.some(({ body, sizes }) => body === null && bytesOf(sizes) !== null) &&
    exchanges.every(({ body }) => body === null || body.length === 0)
  );
}

/**
 * A generated page with the types, sizes, hosts and order of a recording that has no bodies; README.md says how it is like it.
 * @throws ImportError when the recording has no page, or a limit is passed
 */
export function generatedLike(
  recording: Recording,
  { file, limits }: { file: string; limits: Readonly<ImportLimits> },
): RecordedSite {
  const budget = importBudget(file, limits);
  const notes: Note[] = [...recording.notes];
  const usable = usableOf(recording, budget, file, notes);
  const { host } = new URL(usable[0].url);
  const shape = shapeOf(usable, host, recording.loadedAt ?? null);
  for (const { bytes } of shape.objects) budget.takeBody(bytes, file);
  const page = generatePage(shape, {
    madeFrom: `the sizes of ${host}${recordedOn(recording.recordedAt)}`,
    onGrowth: ({ url, shapeBytes, bytes }) =>
      notes.push({
        where: url,
        text: `larger than recorded, to have room for what it asks for: ${bytes} bytes instead of ${shapeBytes}`,
      }),
  });
  const { site: _unnamed, ...manifest } = page.manifest;
  return {
    manifest: {
      ...manifest,
      source: sourceOf(recording.source),
      ...(recording.recordedAt === null ? {} : { recordedAt: recording.recordedAt }),
      requests: recordedRequests(recording, usable.length),
    },
    bodies: page.bodies,
    notes: noteLines(notes),
  };
}

function sourceOf(recorded: string): string {
  const archive = /^imported from (.*)$/.exec(recorded)?.[1];
  const from = archive
    ? `in ${archive}, which has no bodies`
    : `of a page without its bodies (${recorded})`;
  return `generated from the sizes ${from}: number, types, sizes, hosts and order of resources, none of the content`;
}

/** A response that the generated page will have. */
interface Usable {
  exchange: RecordedExchange;
  /** Place in the recording. */
  place: number;
  /** As in the cache. */
  url: string;
  /** Where it redirects to, as in the cache; null: nowhere. */
  target: string | null;
}

function usableOf(
  { exchanges, documentUrl }: Recording,
  budget: ImportBudget,
  file: string,
  notes: Note[],
): [document: Usable, ...others: Usable[]] {
  const found = new Map<string, Usable>();
  for (const [place, exchange] of exchanges.entries()) {
    budget.takeEntry();
    const { where } = exchange;
    const note = (why: string) => notes.push({ where, text: `skipped, ${why}` });
    const { method, status } = exchange;
    const url = exchange.url.length > budget.limits.urlLength ? null : cacheUrl(exchange.url);
    if (url === null) note('not a web address that can be served');
    else if (method !== 'GET' && method !== 'POST') note('only GET and POST are replayed');
    else if (!Number.isInteger(status) || status < 200 || status > 599 || status === 304) {
      note(`status ${status} is no answer to a first request for the whole resource`);
    } else if (found.has(`${method} ${url}`)) {
      note(`the same URL as an earlier one: ${found.get(`${method} ${url}`)?.exchange.where}`);
    } else {
      if (redirectsToItself(exchange)) continue;
      const target = redirectTarget(exchange);
      found.set(`${method} ${url}`, { exchange, place, url, target });
    }
  }
  const { last, redirects } = documentOf(found, documentUrl, file);
  const others = [...found.values()].filter((one) => one !== last && !redirects.includes(one));
  for (const { exchange } of redirects) {
    notes.push({
      where: exchange.where,
      text: 'skipped, a generated page begins with its document and not with a redirect',
    });
  }
  return [last, ...others];
}

function documentOf(
  found: ReadonlyMap<string, Usable>,
  documentUrl: string | null,
  file: string,
): { last: Usable; redirects: Usable[] } {
  const url = documentUrl === null ? null : cacheUrl(documentUrl);
  let last = url === null ? undefined : found.get(`GET ${url}`);
  const redirects: Usable[] = [];
  while (last?.target && !redirects.includes(last)) {
    redirects.push(last);
    last = found.get(`GET ${last.target}`);
  }
  if (last && !redirects.includes(last)) return { last, redirects };
  throw new ImportError(
    `${file} has neither bodies nor an answer for the document${url === null ? '' : ` ${shown(url)}`}. Save the page again, or name another with --document.`,
  );
}

function shapeOf(
  usable: [document: Usable, ...others: Usable[]],
  site: string,
  loadedAt: string | null,
): PageShape {
  const hosts = hostsOf({ url: usable[0].url, resources: usable });
  const placeOfHost = new Map(hosts.map((host, place) => [host, place]));
  const indexOfPlace = new Map(usable.map(({ place }, index) => [place, index]));
  const objects: ShapeObject[] = [];
  for (const [index, { exchange, url }] of usable.entries()) {
    const type = index === 0 ? 'document' : typeOf(exchange, url);
    const bytes = bytesOf(exchange.sizes) ?? 0;
    const { startedAt, initiator } = exchange;
    objects.push({
      type,
      bytes,
      wireBytes: exchange.sizes?.wireBytes ?? null,
      host: placeOfHost.get(new URL(url).host) ?? 0,
      initiator: askerOf(objects, type, indexOfPlace.get(initiator ?? -1) ?? -1),
      afterOnload:
        index > 0 && loadedAt !== null && startedAt !== undefined && startedAt > loadedAt,
      redirect: false,
      post: exchange.method === 'POST',
    });
  }
  addRedirects(usable, objects);
  return { site, inPublishedResults: false, hosts: hosts.length, objects };
}

/** POSTs are made by scripts and forms only. */
function typeOf({ type, method, headers }: RecordedExchange, url: string): ResourceType {
  const judged = type ?? resourceTypeOf(headerValue(headers, 'content-type'), url);
  const kind = judged === 'document' ? 'iframe' : judged;
  return method === 'POST' && kind !== 'iframe' && kind !== 'other' ? 'xhr' : kind;
}

/** Who asks for an object: whoever did, where the generator can have it ask for that type. */
function askerOf(earlier: ShapeObject[], type: ResourceType, initiator: number): number | null {
  const asker = earlier[initiator]?.type;
  if (asker === 'document' || asker === 'script') return initiator;
  if (asker === 'iframe') return type === 'font' ? null : initiator;
  if (asker === 'stylesheet') return type === 'font' || type === 'image' ? initiator : null;
  return null;
}

/** Makes a redirect of every response whose target comes later and is no other redirect's; the rest are plain responses. */
function addRedirects(usable: Usable[], objects: ShapeObject[]): void {
  const indexOf = new Map<string, number>();
  for (const [index, { url, exchange }] of usable.entries()) {
    if (exchange.method === 'GET') indexOf.set(url, index);
  }
  const targetOfRedirect = new Map<number, number>();
  const taken = new Set<number>();
  // From the last one on, so that the type of what a chain ends in goes up to its beginning.
  for (let index = usable.length - 1; index > 0; index -= 1) {
    const { target } = usable[index] as Usable;
    const object = objects[index] as ShapeObject;
    const to = target === null ? undefined : indexOf.get(target);
    if (to === undefined || to <= index || taken.has(to)) continue;
    const final = objects[to] as ShapeObject;
    if (object.post && final.type !== 'xhr' && final.type !== 'other') continue;
    taken.add(to);
    targetOfRedirect.set(index, to);
    object.redirect = true;
    object.type = final.type;
    object.initiator = askerOf(objects, object.type, object.initiator ?? -1);
    final.initiator = index;
    final.afterOnload = object.afterOnload;
  }
  // A redirect asks for nothing but what it leads to.
  for (const [index, object] of objects.entries()) {
    const to = targetOfRedirect.get(object.initiator ?? -1);
    if (to !== undefined && to !== index) object.initiator = null;
  }
}

function bytesOf(sizes: RecordedExchange['sizes']): number | null {
  return sizes?.decodedBytes ?? sizes?.wireBytes ?? null;
}
