import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { siteFolder } from './catalogue.ts';
import { ImportError } from './import-error.ts';
import { generatedLike, isWithoutBodies } from './importers/generated-like.ts';
import type { Importer } from './importers/importer.ts';
import { IMPORTERS } from './importers/index.ts';
import { printable } from './importers/shown.ts';
import { chooseSiteName } from './importers/site-name.ts';
import { IMPORT_LIMITS, type ImportLimits } from './limits.ts';
import { hostsOf, type SiteManifest, writeSite } from './manifest.ts';
import { siteOfRecording } from './site-of-recording.ts';

const USAGE = `Usage: npm run import -- PATH [--name NAME] [--document URL|FILE]
  PATH             one of:
${IMPORTERS.map(({ what }) => `                   - ${what}`).join('\n')}
  --name NAME      name of the site in the cache; default: the host, with -imported behind it where the cache has another page of that name
  --document ...   the page: its URL in an archive, its file below a folder; default: the first page of the archive, the index.html of the folder`;

/** More notes than this say nothing that the first ones do not. */
const NOTES_SHOWN = 50;

/** Characters; the longest message of this program itself has half as many. */
const LONGEST_MESSAGE = 4000;

/** Where the command reads and writes; tests have their own. */
export interface ImportSurroundings {
  folderOf: (site: string) => string;
  print: (line: string) => void;
  complain: (line: string) => void;
}

/**
 * Imports one archive of a page into the site cache. Answers the exit status: 0, or 2 for wrong usage or an archive that
 * cannot become a site; then the cache is as it was.
 */
export async function importCommand(
  args: string[],
  { folderOf, print, complain }: ImportSurroundings,
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) {
      print(USAGE);
      return 0;
    }
    const say = (line: string) => print(shortened(line));
    const page = await readArchive(options.archive, options.document);
    const { host } = new URL(page.manifest.url);
    const { site, replaces } = await chooseSiteName(host, options.name, folderOf);
    const manifest = { ...page.manifest, site };
    await writeSite(folderOf(site), manifest, page.bodies);
    say(`${replaces ? 'Replaced' : 'Imported'} site ${site}: ${manifest.url}`);
    say(`  ${manifest.source}`);
    say(`  ${summary(manifest.resources, hostsOf(manifest).length)}`);
    say(`  in ${folderOf(site)}`);
    for (const note of page.notes.slice(0, NOTES_SHOWN)) say(`  note: ${note}`);
    const more = page.notes.length - NOTES_SHOWN;
    if (more > 0) say(`  and ${more.toLocaleString('en-US')} more notes`);
    say(`Benchmark it: npm run benchmark -- --sites ${site}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    complain(shortened(error.message));
    return 2;
  }
}

/** An archive as a site that has no name yet. */
export interface ArchivedPage {
  manifest: Omit<SiteManifest, 'site'>;
  bodies: Map<string, Uint8Array>;
  notes: string[];
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
): Promise<ArchivedPage> {
  const importer = await importerOf(archive);
  const recording = await importer.read(archive, { limits, document });
  const file = path.basename(archive);
  const page = isWithoutBodies(recording)
    ? generatedLike(recording, { file, limits })
    : siteOfRecording(recording, { file, limits });
  const { resources, ...about } = page.manifest;
  return { ...page, manifest: { ...about, importedFrom: importer.format, resources } };
}

async function importerOf(archive: string): Promise<Importer> {
  if ((await stat(archive).catch(() => null)) === null) {
    throw new ImportError(`${archive} does not exist. Give an archive of a page.\n${USAGE}`);
  }
  for (const importer of IMPORTERS) {
    if (await importer.recognise(archive)) return importer;
  }
  const known = IMPORTERS.map(({ what }) => `- ${what}`).join('\n');
  throw new ImportError(`${archive} is in no format that can be imported. These can:\n${known}`);
}

/** Texts out of an archive can hold what a terminal takes for commands, and no end of them. */
function shortened(message: string): string {
  const line = printable(message);
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}...`;
}

type Options = { help: true } | ImportOptions;
interface ImportOptions {
  help: false;
  archive: string;
  name: string | null;
  document: string | null;
}

function readOptions(args: string[]): Options {
  const { values, positionals } = parse(args);
  if (values.help) return { help: true };
  const [archive, ...more] = positionals;
  if (archive === undefined) throw new ImportError(`PATH is missing.\n${USAGE}`);
  if (more.length > 0) {
    throw new ImportError(`one PATH at a time; there is also ${more.join(', ')}.\n${USAGE}`);
  }
  return { help: false, archive, name: values.name ?? null, document: values.document ?? null };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        document: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ImportError(`${(error as Error).message}\n${USAGE}`);
  }
}

function summary(resources: { wireBytes: number }[], hosts: number): string {
  const bytes = resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
  const count = (n: number, noun: string) =>
    `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
  return `${count(resources.length, 'resource')}, ${count(hosts, 'host')}, ${count(bytes, 'byte')} of bodies`;
}

if (import.meta.main) {
  process.exitCode = await importCommand(process.argv.slice(2), {
    folderOf: siteFolder,
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  });
}
