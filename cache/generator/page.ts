import { createHash } from 'node:crypto';
import { CACHE_FORMAT_VERSION, type Resource, type Site, type SiteManifest } from '../manifest.ts';
import type { PageShape, ShapeObject } from '../shapes/shapes.ts';
import { documentDraft, scriptDraft, stylesheetDraft } from './document.ts';
import { type Body, type Draft, TooSmallError, textDraft, writeBody } from './filler.ts';
import { fontDraft } from './font.ts';
import { imageDraft } from './image.ts';
import { type PlannedResource, planPage } from './plan.ts';
import { type RandomSource, randomSource } from './random.ts';

/** Options of a page whose shape is not in `shapes/`. */
interface GenerateOptions {
  /** Origin of the page, for its title: plain text without `<` and `&`. */
  madeFrom?: string;
  /** Called for every object that grows because its requests need more bytes than its shape has. Absent: an error. */
  onGrowth?: (growth: { url: string; shapeBytes: number; bytes: number }) => void;
}

/**
 * Generates a page of this shape. The same shape gives the same bytes.
 * @throws TooSmallError if an object has no room for its requests, and `onGrowth` is absent
 */
export function generatePage(
  shape: PageShape,
  { madeFrom = `the shape of ${shape.site} in 2018`, onGrowth }: GenerateOptions = {},
): Site {
  const page = planPage(shape);
  const title = `Generated from ${madeFrom}`;
  const bodies = new Map<string, Uint8Array>();
  const resources = page.map((planned) => {
    const body = fittingBodyOf(shape.site, planned, title, onGrowth);
    const file = `bodies/${planned.name}`;
    if (body.sent.length > 0) bodies.set(file, body.sent);
    return manifestEntry(planned, body, file);
  });
  const manifest: SiteManifest = {
    formatVersion: CACHE_FORMAT_VERSION,
    site: shape.site,
    url: (page[0] as PlannedResource).url,
    source:
      `generated from the shape of ${shape.site} in 2018: ` +
      'its number, types, sizes, hosts and order of resources, none of its content',
    kind: 'generated',
    complete: true,
    resources,
  };
  return { manifest, bodies };
}

/**
 * Share of the size that remains on the wire, for text of unknown wire size:
 * medians of the compressed resources of that type in the shapes.
 */
const USUAL_WIRE_SHARE: Partial<Record<ShapeObject['type'], number>> = {
  iframe: 0.515,
  script: 0.419,
  stylesheet: 0.349,
  xhr: 0.354,
};

/** Smaller text is rarely compressed, because it gains nothing. */
const SMALLEST_COMPRESSED_BYTES = 300;

/** Wire size of an object; at most its decoded size. */
export function wantedWireBytes({ type, bytes, wireBytes }: ShapeObject): number {
  if (wireBytes !== null) return Math.min(bytes, wireBytes);
  const share = USUAL_WIRE_SHARE[type];
  return share === undefined || bytes < SMALLEST_COMPRESSED_BYTES
    ? bytes
    : Math.round(bytes * share);
}

/** The body of an object; one that grows has the usual compression, not that of its shape. */
function fittingBodyOf(
  site: string,
  planned: PlannedResource,
  title: string,
  onGrowth: GenerateOptions['onGrowth'],
): Body {
  try {
    return bodyOf(site, planned, title);
  } catch (error) {
    if (!onGrowth || !(error instanceof TooSmallError)) throw error;
    const { bytes: shapeBytes } = planned.object;
    planned.object = { ...planned.object, bytes: error.neededBytes, wireBytes: null };
    onGrowth({ url: planned.url, shapeBytes, bytes: error.neededBytes });
    return bodyOf(site, planned, title);
  }
}

function bodyOf(site: string, planned: PlannedResource, title: string): Body {
  const { object, index } = planned;
  const wireBytes = wantedWireBytes(object);
  const draft = draftOf(title, planned, wireBytes, randomSource(`${site}/${index}`));
  const body = writeBody(draft, object.bytes, wireBytes);
  if (body.decoded.length !== object.bytes) {
    throw new Error(
      `${planned.url} has ${body.decoded.length} bytes, its shape has ${object.bytes}`,
    );
  }
  return body;
}

function draftOf(
  title: string,
  planned: PlannedResource,
  wireBytes: number,
  random: RandomSource,
): Draft {
  const { bytes, type, redirect } = planned.object;
  if (bytes === 0 || redirect) return textDraft(bytes, '', PLAIN, random);
  switch (type) {
    case 'document':
    case 'iframe':
      return documentDraft(title, planned, random);
    case 'script':
      return scriptDraft(planned, random);
    case 'stylesheet':
      return stylesheetDraft(planned, random);
    case 'image':
      return imageDraft(bytes, wireBytes, random);
    case 'font':
      return fontDraft(bytes, random);
    case 'xhr':
      return bytes === 1 ? textDraft(1, '0', PLAIN, random) : jsonDraft(bytes, random);
    default:
      return textDraft(bytes, '', PLAIN, random);
  }
}

const PLAIN = { open: '', line: { before: '', after: '' }, close: '' };

function jsonDraft(bytes: number, random: RandomSource): Draft {
  if (bytes === 2) return textDraft(2, '[]', PLAIN, random);
  return textDraft(
    bytes,
    '',
    { open: '[', line: { before: '"', after: '",' }, close: '0]' },
    random,
  );
}

function manifestEntry(planned: PlannedResource, body: Body, file: string): Resource {
  const { object, url, location } = planned;
  const hasBody = body.sent.length > 0;
  return {
    url,
    method: object.post ? 'POST' : 'GET',
    status: location === null ? 200 : 302,
    type: object.type,
    headers: headersOf(planned, body),
    body: hasBody ? file : null,
    contentEncoding: body.contentEncoding,
    wireBytes: body.sent.length,
    decodedBytes: body.decoded.length,
    sha256: hasBody ? createHash('sha256').update(body.sent).digest('hex') : null,
  };
}

function headersOf(planned: PlannedResource, body: Body): [string, string][] {
  const { object, location, contentType } = planned;
  const keeps =
    ['script', 'stylesheet', 'image', 'font'].includes(object.type) && location === null;
  const headers: [string, string][] = [
    ['content-type', contentType],
    ['cache-control', keeps ? 'public, max-age=86400' : 'no-cache'],
  ];
  if (location !== null) headers.push(['location', location.url]);
  if (body.contentEncoding !== null) {
    headers.push(['content-encoding', body.contentEncoding], ['vary', 'accept-encoding']);
  }
  // Pages may read these from other origins only with CORS.
  if (['font', 'xhr', 'other'].includes(object.type))
    headers.push(['access-control-allow-origin', '*']);
  return headers;
}
