import type { PageShape, ShapeObject } from '../shapes/shapes.ts';
import { imageFormat } from './image.ts';

/** A resource of a page to generate: its type, location and requests. */
export interface PlannedResource {
  index: number;
  object: ShapeObject;
  /** Name of its body file, and its path on its host (the document's path is `/`). */
  name: string;
  url: string;
  contentType: string;
  location: PlannedResource | null;
  /** Requests of this resource, in the order of the shape. */
  requests: PlannedRequest[];
}

export interface PlannedRequest {
  resource: PlannedResource;
  /** Whether a script makes the request (in a document an inline one), not markup. */
  byScript: boolean;
  /** Whether the request waits for the load event. */
  afterLoad: boolean;
}

/** Decides URLs, redirects and initiators; the first resource is the document. */
export function planPage(shape: PageShape): PlannedResource[] {
  const resources = shape.objects.map((object, index) => plannedResource(shape, object, index));
  for (const resource of resources) {
    if (resource.object.redirect) resource.location = targetOf(resource, resources);
  }
  const known = countKnownRequests(resources);
  const redirectTargets = new Set(resources.map((resource) => resource.location));
  for (const resource of resources.slice(1)) {
    if (redirectTargets.has(resource)) continue;
    const initiator = initiatorOf(resource, resources, known);
    const { object } = resource;
    initiator.requests.push({
      resource,
      byScript:
        object.initiator === null || object.afterOnload || ['xhr', 'other'].includes(object.type),
      afterLoad: object.afterOnload && !initiator.object.afterOnload,
    });
  }
  return resources;
}

/** Name of the host with this number: the site itself, then unresolvable names. */
function hostName(site: string, host: number): string {
  if (host === 0) return site;
  // A label has at most 63 characters.
  const label = site
    .replaceAll(/[^a-z0-9-]/gi, '-')
    .slice(0, 60)
    .replace(/-+$/, '');
  return `host${host}.${label}.test`;
}

export function finalResource(resource: PlannedResource): PlannedResource {
  return resource.location === null ? resource : finalResource(resource.location);
}

const FORMATS: Record<string, { extension: string; contentType: string }> = {
  document: { extension: 'html', contentType: 'text/html; charset=utf-8' },
  iframe: { extension: 'html', contentType: 'text/html; charset=utf-8' },
  script: { extension: 'js', contentType: 'text/javascript; charset=utf-8' },
  stylesheet: { extension: 'css', contentType: 'text/css; charset=utf-8' },
  font: { extension: 'ttf', contentType: 'font/ttf' },
  xhr: { extension: 'json', contentType: 'application/json' },
  other: { extension: 'txt', contentType: 'text/plain; charset=utf-8' },
};

function plannedResource(shape: PageShape, object: ShapeObject, index: number): PlannedResource {
  const format = FORMATS[object.type] ?? imageFormat(object.bytes);
  const name = `${String(index).padStart(4, '0')}.${format.extension}`;
  const host = hostName(shape.site, object.host);
  return {
    index,
    object,
    name,
    url: `https://${host}/${index === 0 ? '' : name}`,
    contentType: format.contentType,
    location: null,
    requests: [],
  };
}

/**
 * Target of a redirect: the object that it initiated. Some targets are only known by the redirect's initiator:
 * then it is the next object of the same type from the same host and initiator.
 */
function targetOf(redirect: PlannedResource, resources: PlannedResource[]): PlannedResource {
  const { object } = redirect;
  const later = resources.slice(redirect.index + 1);
  const target =
    later.find((candidate) => candidate.object.initiator === redirect.index) ??
    later.find(
      (candidate) =>
        candidate.object.type === object.type &&
        candidate.object.host === object.host &&
        candidate.object.initiator === object.initiator &&
        !candidate.object.redirect,
    );
  if (!target) throw new Error(`objects[${redirect.index}] is a redirect that leads nowhere`);
  return target;
}

function initiatorOf(
  resource: PlannedResource,
  resources: PlannedResource[],
  known: ReadonlyMap<number, number>,
): PlannedResource {
  const document = resources[0] as PlannedResource;
  const { initiator } = resource.object;
  if (initiator !== null) return resources[initiator] as PlannedResource;
  // Requested by an unknown script: the nearest one before it with room for another request.
  for (let index = resource.index - 1; index >= 0; index -= 1) {
    const candidate = resources[index] as PlannedResource;
    if (canAdopt(candidate, resource, resources, known)) return candidate;
  }
  return document;
}

function countKnownRequests(resources: PlannedResource[]): Map<number, number> {
  const known = new Map<number, number>();
  for (const { object } of resources) {
    if (object.initiator !== null)
      known.set(object.initiator, (known.get(object.initiator) ?? 0) + 1);
  }
  return known;
}

const SCRIPT_BYTES = { frame: 700, request: 160 };

function canAdopt(
  script: PlannedResource,
  resource: PlannedResource,
  resources: PlannedResource[],
  known: ReadonlyMap<number, number>,
): boolean {
  const { object } = script;
  if (object.type !== 'script' || isInFrame(script, resources)) return false;
  if (object.afterOnload && !resource.object.afterOnload) return false;
  const requests = (known.get(script.index) ?? 0) + script.requests.length + 1;
  const room = Math.min(object.bytes, 1.5 * (object.wireBytes ?? object.bytes / 3));
  return room >= SCRIPT_BYTES.frame + SCRIPT_BYTES.request * requests;
}

function isInFrame(resource: PlannedResource, resources: PlannedResource[]): boolean {
  const { initiator } = resource.object;
  if (initiator === null) return false;
  const parent = resources[initiator] as PlannedResource;
  return parent.object.type === 'iframe' || isInFrame(parent, resources);
}
