import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { madeFolder } from '../ground/system/folders.mjs';
import { siteFolder } from './catalogue.ts';
import { writeBody } from './generator/filler.ts';
import { imageDraft, imageFormat } from './generator/image.ts';
import { randomSource } from './generator/random.ts';
import {
  CACHE_FORMAT_VERSION,
  manifestFile,
  type Resource,
  type SiteManifest,
  writeSite,
} from './manifest.ts';

/** Contains generated pages of equal objects; not in git. */
const objectsSitesFolder = path.join(madeFolder, 'cache', 'objects');

const ORIGIN = 'https://objects.example';

export interface EqualObjects {
  objects: number;
  objectBytes: number;
  /** Size of the document, which names the objects first; null: no filler after them. */
  documentBytes: number | null;
}

/**
 * A page whose document names a number of images of the same size before anything else; generated once.
 * @returns its folder
 */
export async function objectsSite(
  site: string,
  { objects, objectBytes, documentBytes }: EqualObjects,
  sites = objectsSitesFolder,
): Promise<string> {
  const folder = siteFolder(site, sites);
  if (existsSync(manifestFile(folder))) return folder;
  const { extension, contentType } = imageFormat(objectBytes);
  const names = Array.from({ length: objects }, (_, index) => `${index + 1}.${extension}`);
  const bodies = new Map<string, Uint8Array>();
  const resource = (name: string, body: Buffer, type: Resource['type'], mime: string): Resource => {
    const file = `bodies/${name === '' ? 'document' : name}`;
    bodies.set(file, body);
    return {
      url: `${ORIGIN}/${name}`,
      method: 'GET',
      status: 200,
      type,
      headers: [['content-type', mime]],
      body: file,
      contentEncoding: null,
      wireBytes: body.length,
      decodedBytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
    };
  };
  const html = documentOf(site, names, documentBytes);
  const resources = [
    resource('', html, 'document', 'text/html; charset=utf-8'),
    ...names.map((name) => {
      const draft = imageDraft(objectBytes, objectBytes, randomSource(`${site}/${name}`));
      return resource(name, writeBody(draft, objectBytes, objectBytes).sent, 'image', contentType);
    }),
  ];
  const manifest: SiteManifest = {
    formatVersion: CACHE_FORMAT_VERSION,
    site,
    url: `${ORIGIN}/`,
    source: `made from numbers: a document of ${html.length} bytes that names ${objects} images of ${objectBytes} bytes before all else`,
    kind: 'generated',
    complete: true,
    resources,
  };
  await mkdir(sites, { recursive: true });
  await writeSite(folder, manifest, bodies);
  return folder;
}

/** A document that names the objects in order, then has a comment up to its size. */
function documentOf(site: string, names: readonly string[], bytes: number | null): Buffer {
  const images = names.map((name) => `<img src="/${name}" width="16" height="16" alt="">`);
  const html = `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${site}</title>\n${images.join('\n')}\n`;
  const missing = (bytes ?? 0) - html.length - '<!--  -->\n'.length;
  const comment = missing > 0 ? `<!-- ${randomSource(site).text(missing)} -->\n` : '';
  return Buffer.from(html + comment, 'latin1');
}
