import { existsSync } from 'node:fs';
import { readPlainText } from '../../ground/system/plain-file.ts';
import { isReservedName, isSiteName } from '../catalogue.ts';
import { ImportError, shown } from '../import-error.ts';
import { manifestFile, type SiteManifest } from '../manifest.ts';

/**
 * Chooses the name of a new site: the given one, or its host, or, if that is not free, `<host>-imported` (or `-recorded`).
 * Only replaces a site from the same kind of source.
 * @throws ImportError for an invalid name, or one of a site from another source
 */
export async function chooseSiteName(
  host: string,
  wanted: string | null,
  folderOf: (site: string) => string,
  way: 'imported' | 'recorded' = 'imported',
): Promise<{ site: string; replaces: boolean }> {
  const names = wanted === null ? [host, `${host}-${way}`] : [wanted];
  if (wanted !== null && isReservedName(wanted)) {
    throw new ImportError(
      `--name ${wanted} is reserved for sites of this program. Choose another --name.`,
    );
  }
  for (const site of names) {
    if (!isSiteName(site)) {
      throw new ImportError(
        `"${shown(site)}" is not a valid site name: expected letters, digits, dots, hyphens and underscores, not a dot or hyphen first, at most 100 characters. Choose another --name.`,
      );
    }
    if (isReservedName(site)) continue;
    const folder = folderOf(site);
    if (!existsSync(folder)) return { site, replaces: false };
    if ((await originOf(folder)) === way) return { site, replaces: true };
  }
  const taken = names.at(-1) ?? host;
  const folder = folderOf(taken);
  const what = existsSync(manifestFile(folder))
    ? `the site ${taken}, which was not ${way}`
    : 'something that is not a site';
  throw new ImportError(`${folder} already exists and holds ${what}. Choose another --name.`);
}

/** Source of a site, even with a damaged manifest; null: another or unknown source. */
async function originOf(folder: string): Promise<'imported' | 'recorded' | null> {
  try {
    const manifest: Partial<SiteManifest> | null = JSON.parse(
      await readPlainText(manifestFile(folder)),
    );
    // Pages generated from an archive's sizes have another kind, but were imported.
    if (manifest?.kind === 'imported' || manifest?.importedFrom !== undefined) return 'imported';
    return manifest?.kind === 'recorded' ? 'recorded' : null;
  } catch {
    return null;
  }
}
