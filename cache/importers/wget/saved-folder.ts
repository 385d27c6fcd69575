import { existsSync } from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ImportError } from '../../import-error.ts';
import type { ImportBudget } from '../../limits.ts';
import type { Note } from '../../notes.ts';
import { isHostName } from '../file-url.ts';

/** One saved file: the host it came from and its path below the host's folder, with `/`. */
export interface SavedFile {
  host: string;
  path: string;
  /** Where it lies. */
  file: string;
}

/** What lies in a folder saved by wget. */
export interface SavedFolder {
  document: SavedFile;
  /** In an order that does not depend on the file system; the document is one of them. */
  files: SavedFile[];
  notes: Note[];
}

/**
 * Finds the hosts, the files and the main document below a folder. The folder is a host's own (`www.example.org`, with
 * the document's `index.html` in it) or holds hosts' folders, one of them with an `index.html`.
 * @param documentPath the document's file below the folder, where it is not that `index.html`
 * @throws ImportError when there is no document, or when there are too many files
 */
export async function readSavedFolder(
  folder: string,
  documentPath: string | null,
  budget: ImportBudget,
): Promise<SavedFolder> {
  const root = path.resolve(folder);
  const notes: Note[] = [];
  const hosts = await hostFolders(root, documentPath, notes);
  const files: SavedFile[] = [];
  for (const [host, hostFolder] of hosts) {
    for (const name of await regularFiles(hostFolder, notes, budget)) {
      files.push({ host, path: name, file: path.join(hostFolder, name) });
    }
  }
  files.sort((a, b) => compare(a.host, b.host) || compare(a.path, b.path));
  return { document: findDocument(root, files, documentPath), files, notes };
}

async function hostFolders(
  root: string,
  documentPath: string | null,
  notes: Note[],
): Promise<[host: string, folder: string][]> {
  const own = path.basename(root);
  const entries = await readdir(root, { withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory() && isHostName(entry.name));
  const firstStep = documentPath === null ? null : path.posix.normalize(documentPath).split('/')[0];
  const isOwn = existsSync(path.join(root, 'index.html')) || inside.length === 0;
  if (isOwn && !inside.some((entry) => entry.name === firstStep)) {
    if (isHostName(own)) return [[own, root]];
    throw new ImportError(
      `${root} is not named after a host (www.example.org) and holds no folder that is. Rename it to the page's host.`,
    );
  }
  for (const entry of entries) {
    if (!inside.includes(entry)) {
      notes.push({ where: entry.name, text: 'skipped, not in the folder of a host' });
    }
  }
  return inside.map((entry) => [entry.name, path.join(root, entry.name)]);
}

/** Paths of all regular files below a folder; links are never followed. */
async function regularFiles(
  folder: string,
  notes: Note[],
  budget: ImportBudget,
): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    if (entry.isDirectory()) continue;
    budget.takeEntry();
    if (entry.isFile()) names.push(name.replaceAll(path.sep, '/'));
    else notes.push({ where: name, text: 'skipped, not a regular file' });
  }
  return names;
}

function findDocument(root: string, files: SavedFile[], documentPath: string | null): SavedFile {
  if (documentPath !== null) {
    const wanted = path.resolve(root, documentPath);
    const document = files.find(({ file }) => file === wanted);
    if (document) return document;
    throw new ImportError(`${wanted}, given as the document, is not among the saved files.`);
  }
  const documents = files.filter((file) => file.path === 'index.html');
  const [document, ...others] = documents;
  if (!document) {
    throw new ImportError(
      `no document found: neither ${root} nor a host's folder in it has an index.html. Name the page's file with --document FILE.`,
    );
  }
  if (others.length > 0) {
    const hosts = documents.map(({ host }) => host).join(', ');
    throw new ImportError(
      `${root} has several documents (index.html of ${hosts}). Give one host's folder, or name the page with --document ${document.host}/index.html.`,
    );
  }
  return document;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
