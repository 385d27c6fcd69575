import { existsSync } from 'node:fs';
import { readPlainText } from '../../ground/system/plain-file.ts';
import { isReservedName, isSiteName } from '../catalogue.ts';
import { ImportError, shown } from '../import-error.ts';
import { manifestFile, type SiteManifest } from '../manifest.ts';

/**
 * The name under which a page goes into the cache: the one asked for, else its host, else `<host>-imported` (or `-recorded`).
 * Only a site that came into the cache in the same way is ever replaced.
 * @throws ImportError when the name cannot be a folder's, or belongs to a site that came otherwise
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
      `--name ${wanted} stands for sites that this program brings along. Give another --name.`,
    );
  }
  for (const site of names) {
    if (!isSiteName(site)) {
      throw new ImportError(
        `"${shown(site)}" cannot be the name of a site: expected letters, digits, dots, hyphens and underscores, not a dot or hyphen first, at most 100 characters. Give another --name.`,
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
    : 'something that is no site';
  throw new ImportError(`${folder} is in the way: it holds ${what}. Give another --name.`);
}

/** How a site came into the cache, however damaged the rest of its manifest is; null: otherwise, or not known. */
async function originOf(folder: string): Promise<'imported' | 'recorded' | null> {
  try {
    const manifest: Partial<SiteManifest> | null = JSON.parse(
      await readPlainText(manifestFile(folder)),
    );
    // Pages generated from an archive's sizes are of another kind and came by an import all the same.
    if (manifest?.kind === 'imported' || manifest?.importedFrom !== undefined) return 'imported';
    return manifest?.kind === 'recorded' ? 'recorded' : null;
  } catch {
    return null;
  }
}
