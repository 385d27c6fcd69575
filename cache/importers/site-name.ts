import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isSiteName } from '../catalogue.ts';
import { ImportError } from '../import-error.ts';
import { manifestFile } from '../manifest.ts';

/**
 * The name under which a saved page goes into the cache: the one asked for, else its host, else `<host>-imported`.
 * Only an imported site is ever replaced.
 * @throws ImportError when the name cannot be a folder's, or belongs to a site of another kind
 */
export async function chooseSiteName(
  host: string,
  wanted: string | null,
  folderOf: (site: string) => string,
): Promise<{ site: string; replaces: boolean }> {
  const names = wanted === null ? [host, `${host}-imported`] : [wanted];
  for (const site of names) {
    if (!isSiteName(site)) {
      throw new ImportError(
        `"${site}" cannot be the name of a site: expected letters, digits, dots, hyphens and underscores, not a dot or hyphen first, at most 100 characters. Give another --name.`,
      );
    }
    const folder = folderOf(site);
    if (!existsSync(folder)) return { site, replaces: false };
    if ((await kindOf(folder)) === 'imported') return { site, replaces: true };
  }
  const taken = names.at(-1) ?? host;
  throw new ImportError(
    `the cache has a site ${taken} already, and it was not imported (${folderOf(taken)}). Give another --name.`,
  );
}

/** What a site's manifest says about its kind, however damaged the rest is; null: it says nothing. */
async function kindOf(folder: string): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(manifestFile(folder), 'utf8'));
    return (manifest as { kind?: string } | null)?.kind ?? null;
  } catch {
    return null;
  }
}
