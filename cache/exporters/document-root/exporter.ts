import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unpack } from '../../../ground/system/bounded-unpacking.ts';
import { IMPORT_LIMITS } from '../../limits.ts';
import type { Resource } from '../../manifest.ts';
import type { Note } from '../../notes.ts';
import type { WriteSite } from '../exporter.ts';

export const writeFiles: WriteSite = async ({ manifest, bodyOf }, target) => {
  const notes: Note[] = [];
  for (const resource of manifest.resources) {
    const omitted = await writeResource(resource, target, bodyOf);
    if (omitted !== null) {
      notes.push({
        where: `${resource.method} ${resource.url}`,
        text: `omitted, because ${omitted}`,
      });
    }
  }
  return {
    notes,
    next: (folder) =>
      `The document root of ${new URL(manifest.url).host}: ${path.join(folder, new URL(manifest.url).host)}`,
  };
};

/** Writes a body where a file server looks for it. Returns why there is no file, as a clause; null: it was written. */
async function writeResource(
  resource: Resource,
  target: string,
  bodyOf: (resource: Resource) => Promise<Buffer>,
): Promise<string | null> {
  if (resource.method !== 'GET') return 'a file server answers only GET';
  if (resource.status !== 200) return `a file server sends status 200, not ${resource.status}`;
  const name = fileOf(resource.url);
  if (name === null) return 'its path is not a file name';
  const sent = await bodyOf(resource);
  const { contentEncoding } = resource;
  const body = contentEncoding ? unpack(sent, contentEncoding, IMPORT_LIMITS.bodyBytes) : sent;
  const file = path.join(target, name);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, body, { flag: 'wx' });
    return null;
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EEXIST':
      case 'EISDIR':
      case 'ENOTDIR':
        return 'another resource has its file: file servers ignore queries, and a folder is no file';
      default:
        throw error;
    }
  }
}

/** File systems allow 255 bytes. */
const MOST_NAME_BYTES = 255;

/** Path of a URL's file, below a folder for its host; null: no valid name. */
function fileOf(url: string): string | null {
  const { hostname, pathname } = new URL(url);
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const file = `${decoded.endsWith('/') ? `${decoded}index.html` : decoded}`.slice(1);
  const isFile = file
    .split('/')
    .every(
      (step) =>
        !['', '.', '..'].includes(step) &&
        Buffer.byteLength(step) <= MOST_NAME_BYTES &&
        /^[^\p{Cc}\\]*$/u.test(step),
    );
  return isFile ? `${hostname}/${file}` : null;
}
