import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { madeFolder } from '../ground/system/folders.mjs';
import { readPlainTextSync } from '../ground/system/plain-file.ts';
import { complain } from '../ground/system/printed.mjs';
import { fingerprint, readStampedObject, writeStamp } from './folders.mjs';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';

const SITES = path.join(madeFolder, 'cache', 'sites');

/** The sites that every copy of the project has: generated ones and pages from packages. */
export const sites: Step = {
  title: 'filling the site cache',
  isDone() {
    const { madeFrom, filled }: Partial<CacheStamp> = readStampedObject('sites');
    const listings = Object.entries(filled ?? {});
    return (
      madeFrom === sourceFingerprint() &&
      listings.length > 0 &&
      listings.every(([site, listing]) => listingOf(site) === listing)
    );
  },
  async run() {
    // Loaded on demand: most set-ups only check.
    const { fillCache } = await import('../cache/fill.ts');
    const { done: text, problem } = await fillCache();
    complain(text);
    if (problem !== null) throw new SetupError(problem);
    const filled = Object.fromEntries(ownSites().map((site) => [site, listingOf(site)]));
    const done: CacheStamp = { madeFrom: sourceFingerprint(), filled };
    writeStamp('sites', `${JSON.stringify(done, null, 1)}\n`);
  },
};

/** Source of the filled cache, and the listing of every site in it. */
interface CacheStamp {
  madeFrom: string;
  filled: Record<string, string | null>;
}

/** Hash of what decides the cache's bytes: code, shapes, and packages with pages. */
function sourceFingerprint(): string {
  return fingerprint(
    'cache/generator',
    'cache/shapes',
    'cache/importers',
    'cache/fill.ts',
    'cache/manifest.ts',
    'package.json',
  );
}

/** Generated sites, without imported or recorded ones. */
function ownSites(): string[] {
  return readdirSync(SITES).filter((site) => {
    const file = path.join(SITES, site, 'index.json');
    try {
      const { kind, importedFrom } = JSON.parse(readPlainTextSync(file));
      return ['generated', 'package'].includes(kind) && importedFrom === undefined;
    } catch {
      return false;
    }
  });
}

/** Changes with the name, size or time of any file of a site, without reading the files; null: incomplete. */
function listingOf(site: string): string | null {
  const hash = createHash('sha256');
  for (const folder of [path.join(SITES, site), path.join(SITES, site, 'bodies')]) {
    if (!existsSync(folder)) return null;
    for (const name of readdirSync(folder).sort()) {
      const { size, mtimeMs } = lstatSync(`${folder}/${name}`);
      hash.update(`${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
