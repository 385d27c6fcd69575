import { createHash } from 'node:crypto';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  CACHE_FORMAT_VERSION,
  type Resource,
  type SiteManifest,
  writeSite,
} from '../../cache/manifest.ts';

/** A resource by the few fields that a test needs. */
export interface FixtureResource {
  url: string;
  type?: Resource['type'];
  method?: Resource['method'];
  status?: number;
  headers?: Resource['headers'];
  /** Decoded. */
  body?: string | Uint8Array;
  gzip?: boolean;
}

/** Writes a small site of these resources, the first one its document, into a folder. */
export async function writeFixtureSite(
  folder: string,
  resources: readonly FixtureResource[],
  about: Partial<SiteManifest> = {},
): Promise<SiteManifest> {
  const bodies = new Map<string, Uint8Array>();
  const manifest: SiteManifest = {
    formatVersion: CACHE_FORMAT_VERSION,
    site: path.basename(folder),
    url: resources[0]?.url ?? '',
    source: 'made by a test',
    kind: 'imported',
    complete: false,
    resources: resources.map((resource, index) => toResource(resource, index, bodies)),
    ...about,
  };
  await writeSite(folder, manifest, bodies);
  return manifest;
}

function toResource(
  { url, type = 'other', method = 'GET', status = 200, headers = [], body, gzip }: FixtureResource,
  index: number,
  bodies: Map<string, Uint8Array>,
): Resource {
  const decoded = body === undefined ? null : Buffer.from(body as string);
  const wire = decoded && gzip ? gzipSync(decoded) : decoded;
  const file = wire && `bodies/${index}`;
  if (wire && file) bodies.set(file, wire);
  return {
    url,
    method,
    status,
    type,
    headers: gzip ? [...headers, ['content-encoding', 'gzip']] : headers,
    body: file,
    contentEncoding: gzip ? 'gzip' : null,
    wireBytes: wire?.length ?? 0,
    decodedBytes: decoded?.length ?? 0,
    sha256: wire && createHash('sha256').update(wire).digest('hex'),
  };
}
