import { generatePage } from '../generator/page.ts';
import { ImportError, shown } from '../import-error.ts';
import type { ImportBudget } from '../limits.ts';
import { hostsOf, type ResourceType } from '../manifest.ts';
import { type Note, noteLines } from '../notes.ts';
import { recordedRequests } from '../recorded-requests.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import type { PageShape, ShapeObject } from '../shapes/shapes.ts';
import type { RecordedSite } from '../site-of-recording.ts';
import { type Answer, type Answers, stepsFrom } from './answers.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { resourceTypeOf } from './media-types.ts';
import { recordedOn } from './recording-of.ts';

/**
 * Whether a page has to be generated: the document's body was not recorded, so it could not request its resources. Formats without
 * sizes have no data to generate from.
 */
export function isWithoutDocument(
  { documentUrl }: Recording,
  { answers }: Pick<Answers, 'answers'>,
): boolean {
  const document = documentOf(answers, documentUrl)?.exchange;
  // These statuses have no body.
  const isEmpty = document?.status === 204 || document?.status === 205;
  return document?.sizes !== undefined && !hasBody(document) && !isEmpty;
}

function hasBody({ body }: RecordedExchange): boolean {
  return body !== null && body.length > 0;
}

/**
 * A generated page with the types, sizes, hosts and order of a recording without bodies; README.md explains the similarity.
 * @throws ImportError when the recording has no page, or a limit is exceeded
 */
export function generatedLike(
  recording: Recording,
  { file, budget, answered }: { file: string; budget: ImportBudget; answered: Answers },
): RecordedSite {
  const notes: Note[] = [...recording.notes, ...answered.notes];
  const usable = usableOf(answered.answers, recording, file, notes);
  const { host } = new URL(usable[0].url);
  const shape = shapeOf(usable, host, recording.loadedAt ?? null);
  for (const { bytes } of shape.objects) budget.takeBody(bytes, file);
  const page = generatePage(shape, {
    madeFrom: `the sizes of ${host}${recordedOn(recording.recordedAt)}`,
    onGrowth: ({ url, shapeBytes, bytes }) =>
      notes.push({
        where: url,
        text: `larger than recorded, to have room for its requests: ${bytes} bytes instead of ${shapeBytes}`,
      }),
  });
  const { site: _unnamed, ...manifest } = page.manifest;
  return {
    manifest: {
      ...manifest,
      source: sourceOf(recording, usable[0].exchange.whyNoBody),
      ...(recording.recordedAt === null ? {} : { recordedAt: recording.recordedAt }),
      requests: recordedRequests(recording, usable.length),
    },
    bodies: page.bodies,
    notes: noteLines(notes),
  };
}

function sourceOf({ source, exchanges }: Recording, why: string | undefined): string {
  const archive = /^imported from (.*)$/.exec(source)?.[1];
  const reason = why === undefined ? '' : ` (${shown(why)})`;
  const without = `${exchanges.some(hasBody) ? 'the body of its document' : 'bodies'}${reason}`;
  const from = archive
    ? `in ${archive}, without ${without}`
    : `of a page without ${without} (${source})`;
  return `generated from the sizes ${from}: number, types, sizes, hosts and order of resources, without the content`;
}

/** The responses of the generated page, the document first. */
function usableOf(
  answers: ReadonlyMap<string, Answer>,
  { documentUrl }: Recording,
  file: string,
  notes: Note[],
): [document: Answer, ...resources: Answer[]] {
  const document = documentOf(answers, documentUrl);
  if (!document) {
    throw new ImportError(
      `${file} has neither bodies nor an answer for the document${documentUrl === null ? '' : ` ${shown(documentUrl)}`}. Save the page again, or name another with --document.`,
    );
  }
  const all = [...answers.values()];
  if (all.every(({ exchange }) => !bytesOf(exchange.sizes))) {
    throw new ImportError(
      `${file} has neither the body of the document ${shown(document.url)} nor sizes to generate a page from. Save the page again with its content.`,
    );
  }
  const redirects = all.filter(
    (each) => each !== document && stepsFrom(each, answers).includes(document),
  );
  for (const { exchange } of [...document.bounces, ...redirects]) {
    notes.push({
      where: exchange.where,
      text: 'skipped, a generated page begins with its document, without redirects',
    });
  }
  return [document, ...all.filter((each) => each !== document && !redirects.includes(each))];
}

/** Final answer of the navigation; undefined: not recorded. */
function documentOf(
  answers: ReadonlyMap<string, Answer>,
  documentUrl: string | null,
): Answer | undefined {
  const first = answers.get(`GET ${cacheUrl(documentUrl ?? '')}`);
  const last = first && stepsFrom(first, answers).at(-1);
  return last?.target === null ? last : undefined;
}

function shapeOf(
  usable: [document: Answer, ...resources: Answer[]],
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
      initiator: possibleInitiator(objects, type, indexOfPlace.get(initiator ?? -1) ?? -1),
      afterOnload:
        index > 0 && loadedAt !== null && startedAt !== undefined && startedAt > loadedAt,
      redirect: false,
      post: exchange.method === 'POST',
    });
  }
  addRedirects(usable, objects);
  return { site, inPublishedResults: false, hosts: hosts.length, objects };
}

/** Only scripts and forms make POSTs. */
function typeOf({ type, method, headers }: RecordedExchange, url: string): ResourceType {
  const resourceType = type ?? resourceTypeOf(headerValue(headers, 'content-type'), url);
  const kind = resourceType === 'document' ? 'iframe' : resourceType;
  return method === 'POST' && kind !== 'iframe' && kind !== 'other' ? 'xhr' : kind;
}

/** The recorded initiator of an object, if the generator supports it for that type. */
function possibleInitiator(
  earlier: ShapeObject[],
  type: ResourceType,
  initiator: number,
): number | null {
  const parent = earlier[initiator]?.type;
  if (parent === 'document' || parent === 'script') return initiator;
  if (parent === 'iframe') return type === 'font' ? null : initiator;
  if (parent === 'stylesheet') return type === 'font' || type === 'image' ? initiator : null;
  return null;
}

/** Makes responses redirects if their target comes later and has no other redirect; the rest become plain responses. */
function addRedirects(usable: Answer[], objects: ShapeObject[]): void {
  const indexOf = new Map<string, number>();
  for (const [index, { url, exchange }] of usable.entries()) {
    if (exchange.method === 'GET') indexOf.set(url, index);
  }
  const targetOfRedirect = new Map<number, number>();
  const taken = new Set<number>();
  // Backwards, so that the type at the end of a chain propagates to its beginning.
  for (let index = usable.length - 1; index > 0; index -= 1) {
    const { target } = usable[index] as Answer;
    const object = objects[index] as ShapeObject;
    const to = target === null ? undefined : indexOf.get(target);
    if (to === undefined || to <= index || taken.has(to)) continue;
    const final = objects[to] as ShapeObject;
    if (object.post && final.type !== 'xhr' && final.type !== 'other') continue;
    taken.add(to);
    targetOfRedirect.set(index, to);
    object.redirect = true;
    object.type = final.type;
    object.initiator = possibleInitiator(objects, object.type, object.initiator ?? -1);
    final.initiator = index;
    final.afterOnload = object.afterOnload;
  }
  // A redirect only requests its target.
  for (const [index, object] of objects.entries()) {
    const to = targetOfRedirect.get(object.initiator ?? -1);
    if (to !== undefined && to !== index) object.initiator = null;
  }
}

function bytesOf(sizes: RecordedExchange['sizes']): number | null {
  return sizes?.decodedBytes ?? sizes?.wireBytes ?? null;
}
