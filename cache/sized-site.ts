import { createCipheriv, createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { madeFolder } from '../ground/system/folders.mjs';
import { siteFolder } from './catalogue.ts';
import {
  CACHE_FORMAT_VERSION,
  manifestFile,
  noContent,
  type Resource,
  type SiteManifest,
} from './manifest.ts';

/** Contains one site for each size; not in git. */
const sizedSitesFolder = path.join(madeFolder, 'cache', 'sizes');

const ORIGIN = 'https://files.example';

export const SIZED_PATHS = { download: '/file', upload: '/upload' } as const;

/** Key of the cipher whose key stream fills every file: the same incompressible bytes on every machine. */
const KEY = Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex');
const ZEROS = Buffer.alloc(1 << 20);

/**
 * A site with a file of exactly this size, a path for uploads, and an empty page; generated once.
 * @returns its folder
 */
export async function sizedSite(
  name: string,
  bytes: number,
  sites = sizedSitesFolder,
): Promise<string> {
  const folder = siteFolder(name, sites);
  if (existsSync(manifestFile(folder))) return folder;
  const unfinished = `${folder}.unfinished-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(path.join(unfinished, 'bodies'), { recursive: true });
  try {
    const page = '<!doctype html><title>Files</title>\n';
    await writeFile(path.join(unfinished, 'bodies', 'page'), page);
    const sha256 = await writeFileOf(bytes, path.join(unfinished, 'bodies', 'file'));
    const manifest = manifestOf(name, [
      {
        url: `${ORIGIN}/`,
        method: 'GET',
        status: 200,
        type: 'document',
        headers: [['content-type', 'text/html; charset=utf-8']],
        body: 'bodies/page',
        contentEncoding: null,
        wireBytes: page.length,
        decodedBytes: page.length,
        sha256: createHash('sha256').update(page).digest('hex'),
      },
      {
        url: `${ORIGIN}${SIZED_PATHS.download}`,
        method: 'GET',
        status: 200,
        type: 'other',
        headers: [['content-type', 'application/octet-stream']],
        body: 'bodies/file',
        contentEncoding: null,
        wireBytes: bytes,
        decodedBytes: bytes,
        sha256,
      },
      noContent('POST', `${ORIGIN}${SIZED_PATHS.upload}`),
    ]);
    await writeFile(manifestFile(unfinished), `${JSON.stringify(manifest, null, 1)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function manifestOf(site: string, resources: Resource[]): SiteManifest {
  return {
    formatVersion: CACHE_FORMAT_VERSION,
    site,
    url: `${ORIGIN}/`,
    source: `A file of ${site}, made of pseudorandom bytes.`,
    kind: 'sized',
    complete: false,
    resources,
  };
}

/** Writes a file of pseudorandom bytes; returns its SHA-256. */
async function writeFileOf(bytes: number, file: string): Promise<string> {
  const stream = createCipheriv('aes-128-ctr', KEY, Buffer.alloc(16));
  const hash = createHash('sha256');
  const target = createWriteStream(file);
  for (let left = bytes; left > 0; left -= ZEROS.length) {
    const piece = stream.update(ZEROS.subarray(0, Math.min(left, ZEROS.length)));
    hash.update(piece);
    if (!target.write(piece)) await once(target, 'drain');
  }
  target.end();
  await finished(target);
  return hash.digest('hex');
}
