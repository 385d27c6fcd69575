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
  /** Below the folder, with `/`. */
  name: string;
  /** Whether the URL has to be said in the file, because its name says another. */
  original: boolean;
}

/** File systems allow 255 bytes for a name. */
const MAX_NAME_BYTES = 240;

/** Chooses the files' names: wget's own where they lead back to the URL, else a number and the URL in the file. */
function filesOf(resources: Resource[]): { files: ExportedFile[]; notes: Note[] } {
  const files: ExportedFile[] = [];
  const notes: Note[] = [];
  /** Files and folders so far; a name cannot be both. */
  const taken = new Map<string, 'file' | 'folder'>();
  for (const [index, resource] of resources.entries()) {
    const { host } = new URL(resource.url);
    if (resource.method !== 'GET' || !isHostName(host)) {
      const why =
        resource.method === 'GET'
          ? 'wget folders are named after hosts with a dot'
          : 'wget saves no POST';
      notes.push({ where: `${resource.method} ${resource.url}`, text: `left out, ${why}` });
      continue;
    }
    if (resource.bounces) {
      notes.push({ where: resource.url, text: 'bounces left out, a file holds one answer' });
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

/** The file in which wget saves a URL's response; null: that name would be read as another URL, or is none. */
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

/** Null: its escapes are no UTF-8. */
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
