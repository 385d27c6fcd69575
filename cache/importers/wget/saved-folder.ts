import { type Dirent, existsSync } from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { shellWord } from '../../../ground/system/shell-word.ts';
import { ImportError } from '../../import-error.ts';
import type { ImportBudget } from '../../limits.ts';
import type { Note } from '../../notes.ts';
import type { RecordedExchange } from '../../recording.ts';
import { rawHeadOf } from '../archive-file.ts';
import { cacheUrl, isHostLabel, isHostName, withoutPort } from '../file-url.ts';
import { headerValue, parseSavedResponse } from '../header-block.ts';
import { isHtmlType } from '../media-types.ts';

/** One saved file: the host it came from and its path below the host's folder, with `/`. */
export interface SavedFile {
  host: string;
  path: string;
  /** Where it lies. */
  file: string;
  /** Where the same lies with converted links, if wget kept the original too. */
  convertedFile?: string;
}

interface SavedFolder {
  /** Where it lies, from the root of the file system. */
  root: string;
  /** In an order that does not depend on the file system. */
  files: SavedFile[];
  notes: Note[];
}

/**
 * Finds the hosts and the files below a folder. The folder is a host's own (`www.example.org`, with the document's
 * `index.html` in it) or holds hosts' folders.
 * @param documentPath the document's file below the folder, where the user named it
 * @throws ImportError when there is no host, or when there are too many files
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
  return { root, files: withOriginals(files, notes), notes };
}

/** Files that desktops leave in folders. */
const DESKTOP_FILE = /(^|\/)(\.DS_Store|\._[^/]+|Thumbs\.db|desktop\.ini)$/i;

/** Takes what wget kept with `--backup-converted` (`page.html.orig`) for the file of which it changed the links. */
function withOriginals(files: readonly SavedFile[], notes: Note[]): SavedFile[] {
  const keyOf = ({ host, path: name }: SavedFile) => `${host}/${name}`;
  const byKey = new Map(files.map((each) => [keyOf(each), each]));
  const originals = new Map<SavedFile, SavedFile>();
  const dropped = new Set<SavedFile>();
  for (const backup of files) {
    const [, stem, dot] = /^(.+?)(\.?)orig$/.exec(backup.path) ?? [];
    if (stem === undefined) continue;
    const own = { ...backup, path: stem };
    // By `--adjust-extension`, wget 1.21 writes over the last four characters: `a?1.css`, `a?1orig`.
    const converted = (dot === '' ? ['.css'] : ['', '.html'])
      .map((extension) => byKey.get(`${keyOf(own)}${extension}`))
      .find((found) => found !== undefined);
    if (!converted) continue;
    originals.set(converted, { ...own, convertedFile: converted.file });
    dropped.add(backup);
    notes.push({
      where: keyOf(converted),
      text: 'taken as it was before wget changed its links (.orig)',
    });
  }
  for (const each of files.filter((file) => DESKTOP_FILE.test(file.path))) {
    dropped.add(each);
    notes.push({ where: keyOf(each), text: 'skipped, a file of a desktop' });
  }
  return files.flatMap((each) => (dropped.has(each) ? [] : (originals.get(each) ?? each)));
}

async function hostFolders(
  root: string,
  documentPath: string | null,
  notes: Note[],
): Promise<[host: string, folder: string][]> {
  const own = path.basename(root);
  const entries = await readdir(root, { withFileTypes: true });
  const hasDocument = existsSync(path.join(root, 'index.html'));
  // In a host's own folder a name without a dot is that of a part of the site.
  const isWithinHost = hasDocument || isHostName(own);
  const inside: Dirent[] = [];
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const isHost =
      isHostName(entry.name) || (!isWithinHost && (await isPlainHost(path.join(root, entry.name))));
    if (isHost) inside.push(entry);
  }
  const firstStep = documentPath === null ? null : path.posix.normalize(documentPath).split('/')[0];
  const isOwn = hasDocument || inside.length === 0;
  if (isOwn && !inside.some((entry) => entry.name === firstStep)) {
    if (isHostName(own)) return [[own, root]];
    throw new ImportError(
      `${root} is not named after a host (www.example.org) and holds no folder that is. Rename it to the page's host, or give the folder above it. Of a video, give the manifest itself (.mpd).`,
    );
  }
  for (const entry of entries) {
    if (!inside.includes(entry)) {
      notes.push({ where: entry.name, text: 'skipped, not in the folder of a host' });
    }
  }
  return inside.map((entry) => [entry.name, path.join(root, entry.name)]);
}

/** Files that are looked at before a folder counts as something else than a host's. */
const FILES_LOOKED_AT = 8;

/** Whether a folder that is named like a host without a dot (`intranet`) has files with header lines on top: then it is one. */
async function isPlainHost(folder: string): Promise<boolean> {
  if (!isHostLabel(withoutPort(path.basename(folder)))) return false;
  let looked = 0;
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue;
    const head = await rawHeadOf(path.join(entry.parentPath, entry.name));
    if (head !== null && parseSavedResponse(head) !== null) return true;
    looked += 1;
    if (looked === FILES_LOOKED_AT) return false;
  }
  return false;
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

/**
 * The main document: the file that the user named, or the only `index.html` of a host.
 * @throws ImportError when there is none, or several
 */
export function findDocument({ root, files }: SavedFolder, documentPath: string | null): SavedFile {
  if (documentPath !== null) {
    const wanted = path.resolve(root, documentPath);
    const document = files.find(
      ({ file, convertedFile }) => file === wanted || convertedFile === wanted,
    );
    if (document) return document;
    throw new ImportError(`${wanted}, given as the document, is not among the saved files.`);
  }
  const documents = files.filter((file) => file.path === 'index.html');
  const [document, ...others] = documents;
  if (!document) {
    throw new ImportError(
      `no document found: neither ${root} nor a host's folder in it has an index.html. Name the page's file with --document FILE; --list shows which there are.`,
    );
  }
  if (others.length > 0) {
    const hosts = documents.map(({ host }) => host).join(', ');
    throw new ImportError(
      `${root} has several documents (index.html of ${hosts}). Give one host's folder, or name the page with --document ${shellWord(`${document.host}/index.html`)}.`,
    );
  }
  return document;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface SavedExchange {
  saved: SavedFile;
  exchange: RecordedExchange;
}

/**
 * Gives files the URLs by which the saved pages and style sheets name them: `--convert-links` makes paths of links, so that the query
 * becomes a part of the path (`%3F`) and other hosts become folders, and `--adjust-extension` changes the names of files.
 * @param all the document first; it keeps its URL
 */
export function withLinkedUrls(
  all: readonly SavedExchange[],
  budget: ImportBudget,
  notes: Note[],
): RecordedExchange[] {
  const linked = linkedUrls(all, budget);
  return all.flatMap((each) => {
    const { exchange } = each;
    const urls = [...(linked.get(each) ?? [])];
    if (urls.length === 0 || urls.includes(exchange.url) || each === all[0]) {
      const more = each === all[0] ? [] : urls.filter((url) => url !== exchange.url);
      return [exchange, ...more.map((url) => ({ ...exchange, url }))];
    }
    // Scripts may ask for the folder.
    const own = new URL(exchange.url).pathname.endsWith('/') ? [exchange] : [];
    const text = 'has the URL of the link to it, which wget changed when it saved the page';
    notes.push({ where: exchange.where, text: `${text}: ${urls[0]}` });
    return [...own, ...urls.map((url) => ({ ...exchange, url }))];
  });
}

/** By the file. Links are followed from the document on, since the URL of a style sheet decides what its own links mean. */
function linkedUrls(
  all: readonly SavedExchange[],
  budget: ImportBudget,
): Map<SavedExchange, Set<string>> {
  const fileOf = fileFinder(all);
  const linked = new Map<SavedExchange, Set<string>>();
  const bases = all.slice(0, 1).map((each) => ({ each, base: each.exchange.url }));
  const follow = () => {
    for (let base = bases.shift(); base; base = bases.shift()) {
      for (const link of linksOf(base.each.exchange)) {
        const url = cacheUrl(link, base.base);
        const target = url === null ? undefined : fileOf(url);
        if (url === null || !target) continue;
        const urls = linked.get(target) ?? new Set();
        if (urls.has(url)) continue;
        if (urls.size > 0) budget.takeEntry();
        linked.set(target, urls.add(url));
        bases.push({ each: target, base: url });
      }
    }
  };
  follow();
  // What scripts ask for.
  for (const each of all.slice(1)) {
    if (linked.has(each)) continue;
    bases.push({ each, base: each.exchange.url });
    follow();
  }
  return linked;
}

/** What `--adjust-extension` puts behind a name. */
const EXTENSIONS = ['.html', '.css'];

/** Finds the file that a browser gets under a URL if the folder is served as it is; undefined: there is none. */
function fileFinder(all: readonly SavedExchange[]): (url: string) => SavedExchange | undefined {
  const byUrl = new Map(all.map((each) => [each.exchange.url, each]));
  const byPath = new Map(
    all.map((each) => [`${withoutPort(each.saved.host)}/${each.saved.path}`, each]),
  );
  return (url) => {
    const { hostname, pathname, search } = new URL(url);
    const file = decoded(pathname).replace(/\/$/, '/index.html');
    const own = `${file}${search}`;
    // Without `--adjust-extension` the query stays one, and is escaped all the same. `--restrict-file-names=windows` has no question marks.
    const queries = [search, decoded(search), search.replace('?', '@')];
    const names = [...new Set(queries.map((query) => `${file}${query}`))].flatMap((name) => [
      name,
      ...EXTENSIONS.map((extension) => `${name}${extension}`),
    ]);
    // A link out of its host's folder leads to the folder of another host.
    const [, host = '', ...path] = own.split('/');
    const paths = [
      ...names.map((name) => `${hostname}${name}`),
      [withoutPort(host), ...path].join('/'),
    ];
    return byUrl.get(url) ?? paths.map((each) => byPath.get(each)).find((found) => found);
  };
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Text beyond this is no page's, but data. */
const TEXT_BYTES = 16 * 1024 * 1024;

/** What stands in quotes, in brackets, behind an equals sign, or behind a comma and a blank (`srcset`). */
const WORD = /(?:["'(=]|,\s)\s*([^"'()<>\s]{1,4096})/g;

/** What may be a link in a page or a style sheet; most of it is something else. */
function* linksOf({ body, headers }: RecordedExchange): Generator<string> {
  const type = headerValue(headers, 'content-type') ?? '';
  const isText = isHtmlType(type) || /^\s*text\/css/i.test(type);
  const isPacked = headerValue(headers, 'content-encoding') !== null;
  if (body === null || !isText || isPacked || body.length > TEXT_BYTES) return;
  const words = new Set<string>();
  for (const [, word = ''] of Buffer.from(body).toString('utf8').matchAll(WORD)) words.add(word);
  for (const word of words) yield withoutEntities(word);
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&#38;': '&',
  '&#32;': ' ',
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
};

function withoutEntities(word: string): string {
  return word.replace(/&(amp|#\d\d|quot|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}
