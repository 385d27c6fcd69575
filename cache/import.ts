import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ImportError } from './import-error.ts';
import { generatedLike, isWithoutDocument } from './importers/generated-like.ts';
import type { Importer } from './importers/importer.ts';
import { IMPORTERS } from './importers/index.ts';
import { printable } from './importers/shown.ts';
import { chooseSiteName } from './importers/site-name.ts';
import { IMPORT_LIMITS, type ImportLimits } from './limits.ts';
import { hostsOf, writeSite } from './manifest.ts';
import { type RecordedSite, siteOfRecording } from './site-of-recording.ts';

/** More notes than this say nothing that the first ones do not. */
const NOTES_SHOWN = 50;

/** Characters; the longest message of this program itself has half as many. */
const LONGEST_MESSAGE = 4000;

/** What is to become of the archive. */
export interface ImportChoices {
  /** Of the site; null: by its host. */
  name: string | null;
  /** A URL, or a file below a folder; null: the archive's own. */
  document: string | null;
}

/** Where the command reads and writes; tests have their own. */
export interface ImportSurroundings {
  folderOf: (site: string) => string;
  print: (line: string) => void;
}

/**
 * Imports one archive of a page into the site cache.
 * @throws ImportError for an archive that cannot become a site; then the cache is as it was.
 */
export async function importCommand(
  archive: string,
  { name, document }: ImportChoices,
  { folderOf, print }: ImportSurroundings,
): Promise<void> {
  try {
    const page = await readArchive(archive, document);
    const { host } = new URL(page.manifest.url);
    const { site, replaces } = await chooseSiteName(host, name, folderOf);
    const manifest = { ...page.manifest, site };
    await writeSite(folderOf(site), manifest, page.bodies);
    const say = (line: string) => print(shortened(line));
    say(`${replaces ? 'Replaced' : 'Imported'} site ${site}: ${manifest.url}`);
    say(`  ${manifest.source}`);
    say(`  ${summary(manifest.resources, hostsOf(manifest).length)}`);
    say(`  in ${folderOf(site)}`);
    for (const note of page.notes.slice(0, NOTES_SHOWN)) say(`  note: ${note}`);
    const more = page.notes.length - NOTES_SHOWN;
    if (more > 0) say(`  and ${more.toLocaleString('en-US')} more notes`);
    say(`Benchmark it: npm run benchmark -- --sites ${site}`);
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(shortened(error.message)) : error;
  }
}

/**
 * Reads an archive of any format that is known.
 * @param document the main document, where the archive does not say: a URL, or a file below a folder
 * @throws ImportError when nothing of it can be used
 */
export async function readArchive(
  archive: string,
  document: string | null = null,
  limits: Readonly<ImportLimits> = IMPORT_LIMITS,
): Promise<RecordedSite> {
  const importer = await importerOf(archive);
  const recording = await importer.read(archive, { limits, document });
  const file = path.basename(archive);
  const page = isWithoutDocument(recording, { file, limits })
    ? generatedLike(recording, { file, limits })
    : siteOfRecording(recording, { file, limits });
  const { resources, ...about } = page.manifest;
  return { ...page, manifest: { ...about, importedFrom: importer.format, resources } };
}

async function importerOf(archive: string): Promise<Importer> {
  if ((await stat(archive).catch(() => null)) === null) {
    throw new ImportError(`${archive} does not exist. Give an archive of a page.`);
  }
  for (const importer of IMPORTERS) {
    if (await importer.recognise(archive)) return importer;
  }
  const known = IMPORTERS.map(({ what }) => `- ${what}`).join('\n');
  throw new ImportError(`${archive} is in no format that can be imported. Supported:\n${known}`);
}

/** Texts out of an archive can hold what a terminal takes for commands, and no end of them. */
function shortened(message: string): string {
  const line = printable(message);
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}...`;
}

function summary(resources: { wireBytes: number }[], hosts: number): string {
  const bytes = resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
  const count = (n: number, noun: string) =>
    `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
  return `${count(resources.length, 'resource')}, ${count(hosts, 'host')}, ${count(bytes, 'byte')} of bodies`;
}
