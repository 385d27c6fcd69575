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

/** A saved file: its host, and its path below the host's folder, with `/`. */
export interface SavedFile {
  host: string;
  path: string;
  /** Path of the file on this machine. */
  file: string;
  /** Path of the version with converted links, if wget kept the original too. */
  convertedFile?: string;
}

interface SavedFolder {
  /** Absolute path. */
  root: string;
  /** Sorted, so that the order does not depend on the file system. */
  files: SavedFile[];
  notes: Note[];
}

/**
 * Finds the hosts and the files below a folder. The folder belongs to a host (`www.example.org`, with the document's
 * `index.html` in it) or contains folders of hosts.
 * @param documentPath the document's file below the folder, if the user named it
 * @throws ImportError without a host, or with too many files
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

/** Files that desktop systems create in folders. */
const DESKTOP_FILE = /(^|\/)(\.DS_Store|\._[^/]+|Thumbs\.db|desktop\.ini)$/i;

/** Uses the originals that wget kept with `--backup-converted` (`page.html.orig`) instead of files with changed links. */
function withOriginals(files: readonly SavedFile[], notes: Note[]): SavedFile[] {
  const keyOf = ({ host, path: name }: SavedFile) => `${host}/${name}`;
  const byKey = new Map(files.map((each) => [keyOf(each), each]));
  const originals = new Map<SavedFile, SavedFile>();
  const dropped = new Set<SavedFile>();
  for (const backup of files) {
    const [, stem, dot] = /^(.+?)(\.?)orig$/.exec(backup.path) ?? [];
    if (stem === undefined) continue;
    const own = { ...backup, path: stem };
    // With `--adjust-extension`, wget 1.21 overwrites the last four characters: `a?1.css`, `a?1orig`.
    const converted = (dot === '' ? ['.css'] : ['', '.html'])
      .map((extension) => byKey.get(`${keyOf(own)}${extension}`))
      .find((found) => found !== undefined);
    if (!converted) continue;
    originals.set(converted, { ...own, convertedFile: converted.file });
    dropped.add(backup);
    notes.push({
      where: keyOf(converted),
      text: 'used as it was before wget changed its links (.orig)',
    });
  }
  for (const each of files.filter((file) => DESKTOP_FILE.test(file.path))) {
    dropped.add(each);
    notes.push({ where: keyOf(each), text: 'skipped, a file of the desktop system' });
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
  // In a host's own folder, a name without a dot is a part of the site.
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
      `${root} is not named after a host (www.example.org) and has no such folder. Rename it to the page's host, or use the folder above it. For a video, use its manifest (.mpd).`,
    );
  }
  for (const entry of entries) {
    if (!inside.includes(entry)) {
      notes.push({ where: entry.name, text: 'skipped, not in the folder of a host' });
    }
  }
  return inside.map((entry) => [entry.name, path.join(root, entry.name)]);
}

/** Number of files that are checked to recognise a host's folder. */
const FILES_LOOKED_AT = 8;

/** Whether a folder with a host name without a dot (`intranet`) has files with header lines, and so belongs to a host. */
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
 * @throws ImportError when it is missing or ambiguous
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
  const [document, ...further] = documents;
  if (!document) {
    throw new ImportError(
      `no document found: neither ${root} nor a host's folder in it has an index.html. Name the page's file with --document FILE; --list shows all pages.`,
    );
  }
  if (further.length > 0) {
    const hosts = documents.map(({ host }) => host).join(', ');
    throw new ImportError(
      `${root} has several documents (index.html of ${hosts}). Use one host's folder, or name the page with --document ${shellWord(`${document.host}/index.html`)}.`,
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
 * Gives files the URLs by which the saved pages and style sheets link to them: `--convert-links` makes paths of links, so that the
 * query becomes a part of the path (`%3F`) and hosts become folders, and `--adjust-extension` changes the names of files.
 * @param all the document first, which keeps its URL
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
    // Scripts may request the folder.
    const own = new URL(exchange.url).pathname.endsWith('/') ? [exchange] : [];
    const text = 'has the URL of the link to it, which wget changed when it saved the page';
    notes.push({ where: exchange.where, text: `${text}: ${urls[0]}` });
    return [...own, ...urls.map((url) => ({ ...exchange, url }))];
  });
}

/** URLs by file. Follows links from the document, as the URL of a style sheet is the base of its own links. */
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
  // Requests of scripts.
  for (const each of all.slice(1)) {
    if (linked.has(each)) continue;
    bases.push({ each, base: each.exchange.url });
    follow();
  }
  return linked;
}

/** Suffixes of `--adjust-extension`. */
const EXTENSIONS = ['.html', '.css'];

/** Finds the file for a URL if the folder is served unchanged; undefined: no such file. */
function fileFinder(all: readonly SavedExchange[]): (url: string) => SavedExchange | undefined {
  const byUrl = new Map(all.map((each) => [each.exchange.url, each]));
  const byPath = new Map(
    all.map((each) => [`${withoutPort(each.saved.host)}/${each.saved.path}`, each]),
  );
  return (url) => {
    const { hostname, pathname, search } = new URL(url);
    const file = decoded(pathname).replace(/\/$/, '/index.html');
    const own = `${file}${search}`;
    // Without `--adjust-extension` the query remains a query, but escaped. `--restrict-file-names=windows` avoids question marks.
    const queries = [search, decoded(search), search.replace('?', '@')];
    const names = [...new Set(queries.map((query) => `${file}${query}`))].flatMap((name) => [
      name,
      ...EXTENSIONS.map((extension) => `${name}${extension}`),
    ]);
    // A link that leaves its host's folder leads to another host's folder.
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

/** Longer text is data. */
const TEXT_BYTES = 16 * 1024 * 1024;

/** Text in quotes, in brackets, after an equals sign, or after a comma and a blank (`srcset`). */
const WORD = /(?:["'(=]|,\s)\s*([^"'()<>\s]{1,4096})/g;

/** Candidates for links in a page or a style sheet; most are not links. */
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
