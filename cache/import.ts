import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../ground/system/file-error.ts';
import { printable } from '../ground/system/printed.mjs';
import { shellWord } from '../ground/system/shell-word.ts';
import { ImportError } from './import-error.ts';
import { answersOf } from './importers/answers.ts';
import { cacheUrl } from './importers/file-url.ts';
import { generatedLike, isWithoutDocument } from './importers/generated-like.ts';
import type { Importer, ImportFormat, PageImporter, ReadOptions } from './importers/importer.ts';
import { IMPORT_FORMATS } from './importers/index.ts';
import { chooseSiteName } from './importers/site-name.ts';
import { IMPORT_LIMITS, type ImportLimits, importBudget } from './limits.ts';
import { writeSite } from './manifest.ts';
import type { RecordedExchange, Recording } from './recording.ts';
import { shorten, siteLines } from './site-lines.ts';
import { type RecordedSite, siteOfRecording } from './site-of-recording.ts';

interface ImportChoices {
  /** Name of the site; null: its host. */
  name: string | null;
  /** A URL, or a file below a folder; null: chosen from the archive. */
  document: string | null;
  list: boolean;
  /** URLs of requests to exclude; null: no exclusions. */
  without: readonly string[] | null;
}

/** Where the command reads and writes; tests replace it. */
interface ImportDependencies {
  folderOf: (site: string) => string;
  videoFolderOf: (video: string) => string;
  print: (line: string) => void;
  formats?: readonly ImportFormat[];
}

/**
 * Imports an archive of a page into the site cache, or lists its pages; or imports a video.
 * @throws ImportError for an archive that cannot become a site; the cache is then unchanged.
 */
export async function importCommand(
  archive: string,
  { name, document, list, without: unwanted }: ImportChoices,
  { folderOf, videoFolderOf, print, formats = IMPORT_FORMATS }: ImportDependencies,
): Promise<void> {
  try {
    const found = await importerOf(archive, formats);
    const { importer } = found;
    const isVideo = 'readVideo' in importer;
    if (isVideo && (list || document !== null || unwanted !== null)) {
      throw new ImportError(
        `${archive} is a video: --list, --document and --without apply to archives of pages. Use only --name.`,
      );
    }
    if (!isVideo && list) {
      for (const line of await pageLines(archive, importer)) print(shorten(printable(line)));
      return;
    }
    const made = await readArchive(archive, document, IMPORT_LIMITS, unwanted ?? [], found);
    const usual = isVideo
      ? path.basename(path.dirname(path.resolve(archive)))
      : new URL(made.manifest.url).host;
    const placeOf = isVideo ? videoFolderOf : folderOf;
    const { site, replaces } = await chooseSiteName(usual, name, placeOf);
    const manifest = { ...made.manifest, site };
    await mkdir(path.dirname(placeOf(site)), { recursive: true });
    await writeSite(placeOf(site), manifest, made.bodies);
    const about = { done: 'Imported', folder: placeOf(site), replaces, notes: made.notes };
    for (const line of siteLines(manifest, about)) print(line);
    const next = isVideo
      ? 'Play it: npm run video -- --videos'
      : 'Benchmark it: npm run benchmark -- --sites';
    print(`${next} ${shellWord(site)}`);
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(shorten(error.message)) : error;
  }
}

/** A line for each page: its value of `--document`, and its title if it differs. */
async function pageLines(archive: string, importer: PageImporter): Promise<string[]> {
  const pages = await importer.pages(archive, IMPORT_LIMITS);
  if (pages.length === 0) {
    throw new ImportError(`${archive} has no page: no response is HTML with status 200.`);
  }
  return pages.map(({ document, title }) =>
    title === null || title.trim() === '' || title === document
      ? document
      : `${document}  ${title.replace(/\s+/g, ' ').trim()}`,
  );
}

interface ImporterMatch {
  format: string;
  importer: Importer;
}

/**
 * Reads an archive of any known format.
 * @param document the main document, if the archive does not name it: a URL, or a file below a folder
 * @param unwanted URLs of requests to exclude
 * @param found the importer, if known
 * @throws ImportError for an unusable archive
 */
export async function readArchive(
  archive: string,
  document: string | null = null,
  limits: ImportLimits = IMPORT_LIMITS,
  unwanted: readonly string[] = [],
  found?: ImporterMatch,
): Promise<RecordedSite> {
  const { format, importer } = found ?? (await importerOf(archive, IMPORT_FORMATS));
  const made =
    'readVideo' in importer
      ? await importer.readVideo(archive, limits)
      : await pageOf(archive, importer, { document, limits }, unwanted);
  const { resources, ...about } = made.manifest;
  return { ...made, manifest: { ...about, importedFrom: format, resources } };
}

async function pageOf(
  archive: string,
  importer: PageImporter,
  options: ReadOptions,
  unwanted: readonly string[],
): Promise<RecordedSite> {
  const recording = without(await importer.read(archive, options), unwanted);
  const file = path.basename(archive);
  const budget = importBudget(file, options.limits);
  const answered = answersOf(recording, budget);
  return isWithoutDocument(recording, answered)
    ? generatedLike(recording, { file, budget, answered })
    : siteOfRecording(recording, { file, budget, answered });
}

async function importerOf(
  archive: string,
  formats: readonly ImportFormat[],
): Promise<ImporterMatch> {
  await access(archive, constants.R_OK).catch((error) => {
    throw new ImportError(
      `${archive} cannot be read: ${reasonOf(error)}. Name an archive of a page.`,
    );
  });
  for (const { format, load } of formats) {
    const importer = await load();
    if (await importer.recognise(archive)) return { format, importer };
  }
  const known = formats.map(({ what }) => `- ${what}`).join('\n');
  throw new ImportError(
    `${archive} has no supported format. Supported:\n${known}\nTo archive a page that is still on the web: npm run record -- URL`,
  );
}

/**
 * A recording without the requests for these URLs.
 * @throws ImportError for an unknown URL
 */
export function without(recording: Recording, urls: readonly string[]): Recording {
  const left = new Set(urls.map((url) => cacheUrl(url)));
  const known = new Set(recording.exchanges.map(({ url }) => cacheUrl(url)));
  const unknown = urls.find((url) => cacheUrl(url) === null || !known.has(cacheUrl(url)));
  if (unknown !== undefined) {
    throw new ImportError(
      `--without ${unknown}: the archive has no such request. Expected complete URLs from it, separated by commas.`,
    );
  }
  const kept = recording.exchanges.filter(({ url }) => !left.has(cacheUrl(url)));
  const placeOf = new Map(kept.map((exchange, place) => [exchange, place]));
  const exchanges = kept.map(({ initiator = -1, ...exchange }): RecordedExchange => {
    const cause = recording.exchanges[initiator];
    const place = cause && placeOf.get(cause);
    return place === undefined ? exchange : { ...exchange, initiator: place };
  });
  return { ...recording, exchanges };
}
