import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../ground/system/file-error.ts';
import { printable } from '../ground/system/printed.mjs';
import { shellWord } from '../ground/system/shell-word.ts';
import { ImportError } from './import-error.ts';
import { answersOf } from './importers/answers.ts';
import { isDashManifest, siteOfDash } from './importers/dash/video-site.ts';
import { generatedLike, isWithoutDocument } from './importers/generated-like.ts';
import type { Importer } from './importers/importer.ts';
import { IMPORTERS } from './importers/index.ts';
import { chooseSiteName } from './importers/site-name.ts';
import { without } from './importers/without.ts';
import { IMPORT_LIMITS, type ImportLimits, importBudget } from './limits.ts';
import { writeSite } from './manifest.ts';
import { shortened, siteLines } from './site-lines.ts';
import { type RecordedSite, siteOfRecording } from './site-of-recording.ts';

/** What is to become of the archive. */
interface ImportChoices {
  /** Of the site; null: by its host. */
  name: string | null;
  /** A URL, or a file below a folder; null: the archive's own. */
  document: string | null;
  /** Only shows the pages of the archive. */
  list: boolean;
  /** URLs of requests to leave out; null: none. */
  without: readonly string[] | null;
}

/** Where the command reads and writes; tests have their own. */
interface ImportSurroundings {
  folderOf: (site: string) => string;
  /** The same of videos. */
  videoFolderOf: (video: string) => string;
  print: (line: string) => void;
}

/**
 * Imports one archive of a page into the site cache, or shows which pages it has; or a manifest of DASH with the files of its video.
 * @throws ImportError for an archive that cannot become a site; then the cache is as it was.
 */
export async function importCommand(
  archive: string,
  choices: ImportChoices,
  { folderOf, videoFolderOf, print }: ImportSurroundings,
): Promise<void> {
  const { name, document, list, without: unwanted } = choices;
  try {
    if (await isDashManifest(archive)) {
      await importVideo(archive, choices, { folderOf: videoFolderOf, print });
      return;
    }
    if (list) {
      for (const line of await pageLines(archive)) print(shortened(printable(line)));
      return;
    }
    const page = await readArchive(archive, document, IMPORT_LIMITS, unwanted ?? []);
    const { host } = new URL(page.manifest.url);
    const { site, replaces } = await chooseSiteName(host, name, folderOf);
    const manifest = { ...page.manifest, site };
    await writeSite(folderOf(site), manifest, page.bodies);
    const about = { done: 'Imported', folder: folderOf(site), replaces, notes: page.notes };
    for (const line of siteLines(manifest, about)) print(line);
    print(`Benchmark it: npm run benchmark -- --sites ${shellWord(site)}`);
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(shortened(error.message)) : error;
  }
}

async function importVideo(
  file: string,
  { name, document, list, without: unwanted }: ImportChoices,
  { folderOf, print }: Pick<ImportSurroundings, 'folderOf' | 'print'>,
): Promise<void> {
  if (list || document !== null || unwanted !== null) {
    throw new ImportError(
      `${file} is a video: --list, --document and --without are for archives of pages. Give its --name alone.`,
    );
  }
  const folder = path.basename(path.dirname(path.resolve(file)));
  const { site, replaces } = await chooseSiteName(folder, name, folderOf);
  const page = await siteOfDash(file, `Imported from ${path.basename(file)}, byte for byte.`);
  const manifest = { ...page.manifest, site, importedFrom: 'mpd' };
  await mkdir(path.dirname(folderOf(site)), { recursive: true });
  await writeSite(folderOf(site), manifest, page.bodies);
  const about = { done: 'Imported', folder: folderOf(site), replaces, notes: page.notes };
  for (const line of siteLines(manifest, about)) print(line);
  print(`Play it: npm run video -- --videos ${shellWord(site)}`);
}

/** A line for each page: what `--document` takes, and the title where the archive has another one. */
async function pageLines(archive: string): Promise<string[]> {
  const pages = await (await importerOf(archive)).pages(archive, IMPORT_LIMITS);
  if (pages.length === 0) {
    throw new ImportError(`${archive} has no page: no response is HTML with status 200.`);
  }
  return pages.map(({ document, title }) =>
    title === null || title.trim() === '' || title === document
      ? document
      : `${document}  ${title.replace(/\s+/g, ' ').trim()}`,
  );
}

/**
 * Reads an archive of any format that is known.
 * @param document the main document, where the archive does not say: a URL, or a file below a folder
 * @param unwanted URLs of requests to leave out
 * @throws ImportError when nothing of it can be used
 */
export async function readArchive(
  archive: string,
  document: string | null = null,
  limits: Readonly<ImportLimits> = IMPORT_LIMITS,
  unwanted: readonly string[] = [],
): Promise<RecordedSite> {
  const importer = await importerOf(archive);
  const recording = without(await importer.read(archive, { limits, document }), unwanted);
  const file = path.basename(archive);
  const budget = importBudget(file, limits);
  const answered = answersOf(recording, budget);
  const page = isWithoutDocument(recording, answered)
    ? generatedLike(recording, { file, budget, answered })
    : siteOfRecording(recording, { file, budget, answered });
  const { resources, ...about } = page.manifest;
  return { ...page, manifest: { ...about, importedFrom: importer.format, resources } };
}

async function importerOf(archive: string): Promise<Importer> {
  await access(archive, constants.R_OK).catch((error) => {
    throw new ImportError(
      `${archive} cannot be read: ${reasonOf(error)}. Name an archive of a page.`,
    );
  });
  for (const importer of IMPORTERS) {
    if (await importer.recognise(archive)) return importer;
  }
  const known = IMPORTERS.map(({ what }) => `- ${what}`).join('\n');
  throw new ImportError(
    `${archive} is in no format that can be imported. Supported:\n${known}\nOf a page that is still on the web, make an archive: npm run record -- URL`,
  );
}
