import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { packagesFolder } from '../../ground/system/folders.mjs';
import { readPlainFile, readPlainText } from '../../ground/system/plain-file.ts';
import { contentTypeOf, isCompressible, resourceTypeOf } from '../importers/media-types.ts';
import { bodyFile, noFavicon } from '../importers/resource.ts';
import { CACHE_FORMAT_VERSION, type Resource, type Site } from '../manifest.ts';
import type { PackagePage, PackagePart } from './package-pages.ts';

/** A package or its file is not installed as the list of pages expects. */
export class PackagePageError extends Error {
  override name = 'PackagePageError';
}

/**
 * A page from npm packages, as a site of the cache.
 * @throws PackagePageError when a package is not installed as expected
 */
export async function packagePage(page: PackagePage, packages?: string): Promise<Site> {
  const documentUrl = `https://${page.host}${page.document}`;
  const resources: Resource[] = [];
  const bodies = new Map<string, Uint8Array>();
  let html = '';
  for (const part of page.parts) {
    const folder = path.join(packages ?? packagesFolder(part.package), part.package);
    await checkVersion(part, folder);
    for (const name of part.files) {
      const asFile = new URL(`${part.at}${name}`, documentUrl).href;
      const url = asFile === `${documentUrl}index.html` ? documentUrl : asFile;
      const shipped = await readShipped(part, path.join(folder, name.split('?')[0] ?? name));
      const { resource, bytes } = toResource(url, shipped, documentUrl, resources.length);
      resources.push(resource);
      if (resource.body) bodies.set(resource.body, bytes);
      if (url === documentUrl) html = shipped.toString('utf8');
    }
  }
  const favicon = noFavicon(documentUrl, html);
  if (favicon) resources.push(favicon);
  const [main] = page.parts;
  return {
    manifest: {
      formatVersion: CACHE_FORMAT_VERSION,
      site: page.site,
      url: documentUrl,
      source: `${page.what} of ${main?.package} ${main?.version} (npm package), as shipped`,
      kind: 'package',
      complete: true,
      resources,
    },
    bodies,
  };
}

function toResource(
  url: string,
  shipped: Uint8Array,
  documentUrl: string,
  index: number,
): { resource: Resource; bytes: Uint8Array } {
  const isDocument = url === documentUrl;
  const pathname = new URL(url).pathname;
  const contentType =
    contentTypeOf(pathname.endsWith('/') ? `${pathname}index.html` : pathname) ??
    'application/octet-stream';
  const compressed = isCompressible(contentType) ? gzipSync(shipped, { level: 9 }) : null;
  // Servers do not compress a body that would grow.
  const isSmaller = compressed !== null && compressed.length < shipped.length;
  const bytes = isSmaller ? compressed : shipped;
  const headers: [string, string][] = [
    ['content-type', contentType],
    ['cache-control', isDocument ? 'no-cache' : 'public, max-age=31536000'],
  ];
  if (isSmaller) headers.push(['content-encoding', 'gzip'], ['vary', 'accept-encoding']);
  const resource: Resource = {
    url,
    method: 'GET',
    status: 200,
    type: isDocument ? 'document' : resourceTypeOf(contentType, url),
    headers,
    ...bodyFile(index, url, bytes),
    contentEncoding: isSmaller ? 'gzip' : null,
    decodedBytes: shipped.length,
  };
  return { resource, bytes };
}

async function checkVersion(part: PackagePart, folder: string): Promise<void> {
  const file = path.join(folder, 'package.json');
  const text = await readPlainText(file).catch(() => null);
  if (text === null) {
    throw new PackagePageError(
      `${file} is missing: the npm package ${part.package} is not installed. Run \`npm run setup\`.`,
    );
  }
  const { version } = JSON.parse(text) as { version?: string };
  if (version !== part.version) {
    throw new PackagePageError(
      `${file}: version ${version} is installed, the list of the page's requests is for ${part.version}. Run \`npm run setup\`.`,
    );
  }
}

async function readShipped(part: PackagePart, file: string): Promise<Buffer> {
  try {
    return await readPlainFile(file);
  } catch (error) {
    throw new PackagePageError(
      `${file} cannot be read (${(error as Error).message}): the npm package ${part.package} is damaged. Remove its folder and run \`npm run setup\`.`,
    );
  }
}
