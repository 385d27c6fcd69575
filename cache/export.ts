import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isSiteName } from './catalogue.ts';
import type { Exporter } from './exporters/exporter.ts';
import { HAR_EXPORTER } from './exporters/har.ts';
import { WARC_EXPORTER } from './exporters/warc.ts';
import { WGET_EXPORTER } from './exporters/wget.ts';
import { ImportError } from './import-error.ts';
import { readManifest } from './manifest.ts';

const EXPORTERS: readonly Exporter[] = [HAR_EXPORTER, WARC_EXPORTER, WGET_EXPORTER];

/** What is to become of the site. */
export interface ExportChoices {
  /** The format; null: the user named none. */
  to: Exporter['format'] | null;
  /** null: a file or folder named after the site, in exports/. */
  out: string | null;
}

/** Where the command reads and writes; tests have their own. */
export interface ExportSurroundings {
  folderOf: (site: string) => string;
  /** For what no --out names a place. */
  exportsFolder: string;
  print: (line: string) => void;
}

/**
 * Writes a site of the cache in a format of other tools.
 * @throws ImportError for what the user gave, DamagedSiteError for a site that cannot be read
 */
export async function exportCommand(
  site: string,
  { to, out }: ExportChoices,
  { folderOf, exportsFolder, print }: ExportSurroundings,
): Promise<void> {
  if (!isSiteName(site))
    throw new ImportError(`${JSON.stringify(site)} is not the name of a site.`);
  const exporter = EXPORTERS.find(({ format }) => format === to);
  if (!exporter) {
    const formats = EXPORTERS.map(({ format }) => format).join(', ');
    throw new ImportError(`--to is missing: expected one of ${formats}.`);
  }
  const target = path.resolve(out ?? path.join(exportsFolder, exporter.nameOf(site)));
  if (existsSync(target)) {
    throw new ImportError(
      `${target} exists already, and nothing is overwritten. Give another --out.`,
    );
  }
  const folder = folderOf(site);
  const manifest = await readManifest(folder).catch((error) => {
    throw existsSync(folder) ? error : new ImportError(notThere(site));
  });
  if (out === null) await mkdir(exportsFolder, { recursive: true });
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
}

function notThere(site: string): string {
  return `There is no site ${site} in the cache. \`npm run sites\` lists those that are there.`;
}
