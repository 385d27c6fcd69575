import path from 'node:path';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { RESOURCE_TYPES, type ResourceType } from '../manifest.ts';

/** File with the shapes of the 39 sites; README.md describes its fields. */
export const SHAPES_FILE = path.join(import.meta.dirname, 'site-shapes.json');

export interface ShapeObject {
  type: ResourceType;
  /** Decoded size. */
  bytes: number;
  /** Size on the wire without headers; null: unknown. */
  wireBytes: number | null;
  /** Number of the host; 0: the site itself. */
  host: number;
  /** Index of the object that requested this one, always smaller; null: an unknown script. */
  initiator: number | null;
  afterOnload: boolean;
  /** A redirect to the object whose initiator this is. */
  redirect: boolean;
  post: boolean;
}

/** The shape of one page; the first object is the document. */
export interface PageShape {
  site: string;
  inPublishedResults: boolean;
  hosts: number;
  objects: ShapeObject[];
}

/**
 * The shapes of all sites, in the order of the file.
 * @throws Error that names the file, the site and the object when the file does not follow README.md.
 */
export function readShapes(file = SHAPES_FILE): PageShape[] {
  const read = JSON.parse(readPlainTextSync(file));
  if (read.format !== 1 || !Array.isArray(read.sites)) {
    throw new Error(`${file}: expected format 1 with a list of sites, got format ${read.format}`);
  }
  return read.sites.map((site: Record<string, unknown>) => {
    const shape = shapeOf(site);
    const problem = problemOf(shape);
    if (problem) throw new Error(`${file}: ${shape.site}: ${problem}`);
    return shape;
  });
}

function shapeOf(site: Record<string, unknown>): PageShape {
  const objects = (site.objects ?? []) as Record<string, unknown>[];
  return {
    site: site.site as string,
    inPublishedResults: site.in_published_results as boolean,
    hosts: site.hosts as number,
    objects: objects.map((object) => ({
      type: object.type as ResourceType,
      bytes: object.bytes as number,
      wireBytes: object.wire_bytes as number | null,
      host: object.host_index as number,
      initiator: object.initiator as number | null,
      afterOnload: object.after_onload === true,
      redirect: object.redirect === true,
      post: object.method_post === true,
    })),
  };
}

function problemOf(shape: PageShape): string | null {
  if (typeof shape.site !== 'string') return 'site is missing';
  if (typeof shape.inPublishedResults !== 'boolean') return 'in_published_results is missing';
  if (shape.objects[0]?.type !== 'document') return 'the first object is not the document';
  for (const [index, object] of shape.objects.entries()) {
    const problem = problemOfObject(object, index, shape.hosts);
    if (problem) return `objects[${index}]: ${problem}`;
  }
  return null;
}

function problemOfObject(object: ShapeObject, index: number, hosts: number): string | null {
  if (!RESOURCE_TYPES.includes(object.type)) return `type is ${object.type}`;
  if ((object.type === 'document') !== (index === 0)) return 'a document that is not the first';
  if (!isCount(object.bytes)) return `bytes is ${object.bytes}`;
  if (object.wireBytes !== null && !isCount(object.wireBytes)) return `wire_bytes is wrong`;
  if (!isCount(object.host) || object.host >= hosts) return `host_index is ${object.host}`;
  const { initiator } = object;
  if (initiator !== null && !(isCount(initiator) && initiator < index)) {
    return `initiator is ${initiator}, expected an earlier object`;
  }
  return null;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
