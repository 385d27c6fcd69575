import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isSiteName, siteFolder } from './catalogue.ts';
import type { Exporter } from './exporters/exporter.ts';
import { HAR_EXPORTER } from './exporters/har.ts';
import { WARC_EXPORTER } from './exporters/warc.ts';
import { WGET_EXPORTER } from './exporters/wget.ts';
import { ImportError } from './import-error.ts';
import { DamagedSiteError, readManifest } from './manifest.ts';

const EXPORTERS: readonly Exporter[] = [HAR_EXPORTER, WARC_EXPORTER, WGET_EXPORTER];

const USAGE = `Usage: npm run export -- SITE --to ${EXPORTERS.map(({ format }) => format).join('|')} [--out PATH]
  SITE        name of a site in the cache (npm run sites lists them)
  --to FORMAT har: one file with the bodies, for DevTools and others; warc: one .warc.gz; wget: a folder with a file for each response
  --out PATH  where to; default: a file or folder named after the site, in exports/. Nothing is ever overwritten`;

/** Where exports go unless --out says otherwise; not in git. */
const EXPORTS_FOLDER = path.join(import.meta.dirname, '..', 'exports');

/** Where the command reads and writes; tests have their own. */
export interface ExportSurroundings {
  folderOf: (site: string) => string;
  /** For what no --out names a place. */
  exportsFolder: string;
  print: (line: string) => void;
  complain: (line: string) => void;
}

/** Writes a site of the cache in a format of other tools. Answers the exit status: 0, or 2 for wrong usage or a damaged site. */
export async function exportCommand(
  args: string[],
  { folderOf, exportsFolder, print, complain }: ExportSurroundings,
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === 'help') {
      print(USAGE);
      return 0;
    }
    const { site, exporter } = options;
    const target = path.resolve(options.out ?? path.join(exportsFolder, exporter.nameOf(site)));
    if (existsSync(target)) {
      throw new ImportError(
        `${target} exists already, and nothing is overwritten. Give another --out.`,
      );
    }
    const folder = folderOf(site);
    const manifest = await readManifest(folder).catch((error) => {
      throw existsSync(folder) ? error : new ImportError(notThere(site));
    });
    if (options.out === null) await mkdir(exportsFolder, { recursive: true });
    const unfinished = `${target}.unfinished-${process.pid}`;
    try {
      const { notes, importArguments } = await exporter.write(
        {
          manifest,
          bodyOf: async ({ body }) =>
            body === null ? Buffer.alloc(0) : readFile(path.join(folder, body)),
        },
        unfinished,
      );
      await rename(unfinished, target);
      print(`Exported ${site} (${manifest.resources.length} resources) to ${target}`);
      for (const note of notes) print(`  note: ${note}`);
      print(`Import it: npm run import -- ${[target, ...importArguments].join(' ')}`);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof DamagedSiteError)) throw error;
    complain(error.message);
    return 2;
  }
}

function notThere(site: string): string {
  return `There is no site ${site} in the cache. \`npm run sites\` lists those that are there.`;
}

function readOptions(
  args: string[],
): 'help' | { site: string; exporter: Exporter; out: string | null } {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [site, ...more] = positionals;
  if (site === undefined) throw new ImportError(`SITE is missing.\n${USAGE}`);
  if (!isSiteName(site)) throw new ImportError(`${JSON.stringify(site)} is no name of a site.`);
  if (more.length > 0) {
    throw new ImportError(`one SITE at a time; there is also ${more.join(', ')}.\n${USAGE}`);
  }
  const exporter = EXPORTERS.find(({ format }) => format === values.to);
  if (!exporter) {
    const got =
      values.to === undefined ? 'is missing' : `${values.to} is no format that can be written`;
    throw new ImportError(`--to ${got}.\n${USAGE}`);
  }
  return { site, exporter, out: values.out ?? null };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new ImportError(`${(error as Error).message}\n${USAGE}`);
  }
}

if (import.meta.main) {
  process.exitCode = await exportCommand(process.argv.slice(2), {
    folderOf: siteFolder,
    exportsFolder: EXPORTS_FOLDER,
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  });
}
