import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../ground/system/exit-status.ts';
import { reasonOf } from '../ground/system/file-error.ts';
import { cacheFolder, madeFolder } from '../ground/system/folders.mjs';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { manifestFile, restoreReplaced } from './manifest.ts';
import { readShapes } from './shapes/shapes.ts';

/** Contains one folder per site of the user; not in git. */
export const sitesFolder = path.join(cacheFolder, 'sites');

/** Contains the sites that set-up makes; in an installed package, each version has its own. */
export const ownSitesFolder = path.join(madeFolder, 'cache', 'sites');

/** Contains one folder per video; not in git. */
export const videosFolder = path.join(cacheFolder, 'videos');

/** Default sites of a run: small, medium and many small objects, and real pages that ship in packages. */
export const QUICK_SITES = ['www.example.org', 'www.360.cn', 'jquery-ui-demo', 'shower-deck'];

/**
 * The folder of one site; the user's come before those of set-up.
 * @throws RangeError when the name could lead out of the cache.
 */
export function siteFolder(name: string, sites = sitesFolder): string {
  const folder = newSiteFolder(name, sites);
  const own = path.join(ownSitesFolder, name);
  return sites === sitesFolder && !existsSync(folder) && existsSync(own) ? own : folder;
}

/**
 * The folder for a site that is written.
 * @throws RangeError when the name could lead out of the cache.
 */
export function newSiteFolder(name: string, sites = sitesFolder): string {
  if (!isSiteName(name)) {
    throw new RangeError(
      `${JSON.stringify(name)} is not a valid site name: expected letters, digits, dots, hyphens and underscores, ` +
        'not a dot or hyphen first, at most 100 characters',
    );
  }
  return path.join(sites, name);
}

export function isSiteName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name);
}

/** Whether a name is reserved: for a set of sites, a generated page, or the generated video. */
export function isReservedName(name: string): boolean {
  return /^(quick|published|all|test-pattern|objects-\d+x[^-]+(-in-[^-]+)?)$/.test(name);
}

export function listSites(sites = sitesFolder): string[] {
  // Of a clone, these are one folder.
  const folders = new Set(sites === sitesFolder ? [sites, ownSitesFolder] : [sites]);
  return [...new Set([...folders].flatMap(sitesIn))].sort();
}

function sitesIn(sites: string): string[] {
  if (!existsSync(sites)) return [];
  restoreReplaced(sites);
  return readdirSync(sites, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isSiteName(entry.name))
    .map((entry) => entry.name)
    .filter((name) => existsSync(manifestFile(path.join(sites, name))));
}

/** @throws UsageError for names of sites that the cache does not have, with a hint for videos */
export function assertInCache(
  names: readonly string[],
  sites = sitesFolder,
  videos = videosFolder,
): void {
  const known = listSites(sites);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const sentences = unknown.map((name) => whatIsVideo(name, videos) ?? `Unknown site ${name}.`);
  throw new UsageError(`${sentences.join(' ')} \`npm run sites\` lists what the cache has.`);
}

/** How to use a video, which is not a page; null: the cache has no video of that name. */
export function whatIsVideo(name: string, videos = videosFolder): string | null {
  if (!listSites(videos).includes(name)) return null;
  return `${name} is a video. To play it: npm run video -- --videos ${shellWord(name)}.`;
}

/** The 30 sites whose load times were published in 2018, in the order of the shapes. */
export function publishedSites(): string[] {
  return readShapes()
    .filter((shape) => shape.inPublishedResults)
    .map((shape) => shape.site);
}

/**
 * Reads a list of sites: one name per line; a comment begins with a `#` at the beginning of a line or after white space.
 * Keeps the order of the file.
 * @throws UsageError when it cannot be read, is empty, or a line is not a site name or appears twice
 */
export function readSiteList(file: string): string[] {
  const names: string[] = [];
  for (const [index, line] of textOf(file)
    .split(/\r\n|\n|\r/)
    .entries()) {
    const name = line.replace(/(^|\s)#.*$/, '').trim();
    if (name === '') continue;
    const where = `${file}, line ${index + 1}`;
    if (!isSiteName(name)) {
      throw new UsageError(
        `${where}: ${JSON.stringify(name.slice(0, 120))} is not the name of a site. Expected one name per line, as \`npm run sites\` prints them.`,
      );
    }
    if (names.includes(name)) throw new UsageError(`${where}: ${name} appears twice.`);
    names.push(name);
  }
  if (names.length === 0) throw new UsageError(`${file} names no site.`);
  return names;
}

function textOf(file: string): string {
  try {
    return readPlainTextSync(file).replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${reasonOf(error)}. Name a file with a list of sites.`,
    );
  }
}
