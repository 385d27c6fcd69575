import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isHostName, urlOfFile } from '../../importers/file-url.ts';
import type { Resource } from '../../manifest.ts';
import type { Note } from '../../notes.ts';
import { importOf, type WriteSite } from '../exporter.ts';
import { httpResponse } from '../http-message.ts';

export const writeWget: WriteSite = async ({ manifest, bodyOf }, target) => {
  const { files, notes } = filesOf(manifest.resources);
  const date: [string, string][] =
    manifest.recordedAt === undefined
      ? []
      : [['Date', new Date(manifest.recordedAt).toUTCString()]];
  for (const { resource, name, original } of files) {
    const file = path.join(target, name);
    await mkdir(path.dirname(file), { recursive: true });
    const more: [string, string][] = original ? [['X-Original-Url', resource.url]] : [];
    const message = httpResponse(resource, await bodyOf(resource), [...more, ...date]);
    await writeFile(file, message, { flag: 'wx' });
  }
  const document = files.find(({ resource }) => resource.url === manifest.url);
  return { notes, next: (folder) => importOf(folder, '--document', document?.name ?? '') };
};

interface ExportedFile {
  resource: Resource;
  /** Path below the folder, with `/`. */
  name: string;
  /** Whether the file has to contain the URL, because its name means another one. */
  original: boolean;
}

/** File systems allow 255 bytes. */
const MAX_NAME_BYTES = 240;

/** Chooses file names: wget's own if they lead back to the URL, else a number, with the URL in the file. */
function filesOf(resources: Resource[]): { files: ExportedFile[]; notes: Note[] } {
  const files: ExportedFile[] = [];
  const notes: Note[] = [];
  /** Files and folders so far, as a name cannot be both. */
  const taken = new Map<string, 'file' | 'folder'>();
  for (const [index, resource] of resources.entries()) {
    const { host } = new URL(resource.url);
    if (resource.method !== 'GET' || !isHostName(host)) {
      const why =
        resource.method === 'GET' ? 'hosts of wget folders have a dot' : 'wget does not save POST';
      notes.push({ where: `${resource.method} ${resource.url}`, text: `omitted: ${why}` });
      continue;
    }
    if (resource.bounces) {
      notes.push({ where: resource.url, text: 'bounces omitted, a file holds one answer' });
    }
    const name = wgetName(resource.url);
    const original = name === null || !isFree(name, taken);
    const chosen = original ? `${host}/.exported/${String(index).padStart(4, '0')}` : name;
    const steps = chosen.split('/');
    for (let depth = 1; depth < steps.length; depth += 1) {
      taken.set(steps.slice(0, depth).join('/'), 'folder');
    }
    taken.set(chosen, 'file');
    files.push({ resource, name: chosen, original });
  }
  return { files, notes };
}

/** The file in which wget saves a URL's response; null: no valid name, or one that means another URL. */
function wgetName(url: string): string | null {
  const { host, pathname, search } = new URL(url);
  const decoded = decodedPath(pathname);
  if (decoded === null) return null;
  const file =
    `${decoded.endsWith('/') ? `${decoded}index.html` : decoded}${search.replaceAll('/', '%2F')}`.slice(
      1,
    );
  const steps = file.split('/');
  const fine = steps.every(
    (step) =>
      step !== '' && step !== '.' && step !== '..' && Buffer.byteLength(step) <= MAX_NAME_BYTES,
  );
  if (!fine || !/^[^\p{Cc}\\]*$/u.test(file) || steps[0] === '.exported') return null;
  return urlOfFile(host, file) === url ? `${host}/${file}` : null;
}

/** A URL's path without escapes; null: they are not UTF-8. */
function decodedPath(pathname: string): string | null {
  try {
    return decodeURI(pathname);
  } catch {
    return null;
  }
}

function isFree(name: string, taken: ReadonlyMap<string, 'file' | 'folder'>): boolean {
  if (taken.has(name)) return false;
  const steps = name.split('/');
  return steps.every((_, depth) => taken.get(steps.slice(0, depth).join('/')) !== 'file');
}
