import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { newSiteFolder, ownSitesFolder } from './catalogue.ts';
import { generatePage } from './generator/page.ts';
import {
  manifestFile,
  readManifestAlone,
  type Site,
  type SiteManifest,
  writeSite,
} from './manifest.ts';
import { PackagePageError, packagePage } from './packages/package-page.ts';
import { PACKAGE_PAGES } from './packages/package-pages.ts';
import { readShapes } from './shapes/shapes.ts';
import { problemsOfSite } from './verification.ts';

interface FillResult {
  /** Sites that were missing, damaged, or outdated. */
  written: string[];
  upToDate: string[];
  /** User's own sites with a reserved name. */
  notOurs: string[];
}

export async function fillGenerated(
  sites = ownSitesFolder,
  shapes = readShapes(),
): Promise<FillResult> {
  return fill(sites, shapes, (shape) => generatePage(shape));
}

/**
 * Fills the cache with the real pages that ship in npm packages.
 * @throws PackagePageError when a package is not installed as expected
 */
export async function fillFromPackages(
  sites = ownSitesFolder,
  pages = PACKAGE_PAGES,
  packagesFolder?: string,
): Promise<FillResult> {
  return fill(sites, pages, (page) => packagePage(page, packagesFolder));
}

async function fill<T>(
  sites: string,
  wanted: readonly T[],
  make: (one: T) => Site | Promise<Site>,
): Promise<FillResult> {
  await mkdir(sites, { recursive: true });
  const filled: FillResult = { written: [], upToDate: [], notOurs: [] };
  for (const one of wanted) {
    const { manifest, bodies } = await make(one);
    const { site, kind } = manifest;
    const folder = newSiteFolder(site, sites);
    if (isOwnSite(folder, kind)) {
      filled.notOurs.push(site);
    } else if (await isUpToDate(folder, manifest)) {
      filled.upToDate.push(site);
    } else {
      await writeSite(folder, manifest, bodies);
      filled.written.push(site);
    }
  }
  return filled;
}

/** Whether the user imported a site under the name of a generated one, even if it is damaged. */
function isOwnSite(folder: string, madeKind: SiteManifest['kind']): boolean {
  try {
    const manifest: SiteManifest = JSON.parse(readPlainTextSync(manifestFile(folder)));
    return manifest.kind !== madeKind || manifest.importedFrom !== undefined;
  } catch {
    return false;
  }
}

/** Whether a site is complete and has this manifest, which has the hashes of its bodies. */
async function isUpToDate(folder: string, manifest: SiteManifest): Promise<boolean> {
  const isWhole = (await problemsOfSite(folder)).length === 0;
  return isWhole && isDeepStrictEqual(readManifestAlone(folder), manifest);
}

/** Adds all sites that ship with the project to the cache; reports what was done, and what failed. */
export async function fillCache(): Promise<{ done: string; problem: string | null }> {
  const startedMs = performance.now();
  const { written, upToDate, notOurs } = await fillGenerated();
  const kept = notOurs.length > 0 ? `, ${notOurs.length} replaced by pages of your own` : '';
  let packages = `${PACKAGE_PAGES.length} pages from packages`;
  let problem: string | null = null;
  try {
    await fillFromPackages();
  } catch (error) {
    if (!(error instanceof PackagePageError)) throw error;
    packages = 'no pages from packages';
    problem = error.message;
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const done = `Site cache: ${written.length} generated sites written, ${upToDate.length} up to date${kept}; ${packages} (${seconds} s)`;
  return { done, problem };
}
