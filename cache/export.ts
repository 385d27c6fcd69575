import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { assertNew } from '../ground/system/assert-new.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import { readPlainFile, readPlainText } from '../ground/system/plain-file.ts';
import { unfinishedName } from '../ground/system/unfinished-name.ts';
import { countWithNoun } from '../kit/text/number.ts';
import { assertInCache, siteFolder } from './catalogue.ts';
import { EXPORT_FORMATS } from './exporters/index.ts';
import { manifestFile, readManifest } from './manifest.ts';
import { noteLines } from './notes.ts';

interface ExportChoices {
  /** The format; null: not given. */
  to: string | null;
  /** null: a file or folder named after the site, in exports/. */
  out: string | null;
}

/** Where the command reads and writes; tests replace it. */
interface ExportDependencies {
  sites: string;
  /** Parent folder when --out is absent. */
  exportsFolder: string;
  print: (line: string) => void;
}

/**
 * Writes a site of the cache in a format of another tool.
 * @throws UsageError for wrong options, DamagedSiteError for a site that cannot be read
 */
export async function exportCommand(
  site: string,
  { to, out }: ExportChoices,
  { sites, exportsFolder, print }: ExportDependencies,
): Promise<void> {
  assertInCache([site], sites);
  const found = EXPORT_FORMATS.find(({ format }) => format === to);
  if (!found) {
    const formats = EXPORT_FORMATS.map(({ format }) => format).join(', ');
    throw new UsageError(`--to is missing: expected one of ${formats}.`);
  }
  const target = path.resolve(out ?? path.join(exportsFolder, `${site}${found.ending}`));
  assertNew(target);
  const folder = siteFolder(site, sites);
  const manifest = await readManifest(folder);
  await mkdir(path.dirname(target), { recursive: true });
  const unfinished = unfinishedName(target);
  try {
    const write = await found.load();
    const { notes, next } = await write(
      {
        manifest,
        manifestText: await readPlainText(manifestFile(folder)),
        bodyOf: async ({ body }) =>
          body === null ? Buffer.alloc(0) : readPlainFile(path.join(folder, body)),
      },
      unfinished,
    );
    await rename(unfinished, target);
    print(
      `Exported ${site} (${countWithNoun(manifest.resources.length, 'resource')}) to ${target}`,
    );
    for (const note of noteLines(notes)) print(`  note: ${note}`);
    print(next(target));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
