import { readFileSync } from 'node:fs';
import { manifestFile, type SiteKind, type SiteManifest } from './manifest.ts';

/** Whether a site is somebody's own, and not the one that set-up makes under this name; however damaged the rest of it is. */
export function isOwnSite(folder: string, madeKind: SiteKind): boolean {
  try {
    const manifest: SiteManifest = JSON.parse(readFileSync(manifestFile(folder), 'utf8'));
    return manifest.kind !== madeKind || manifest.importedFrom !== undefined;
  } catch {
    return false;
  }
}
