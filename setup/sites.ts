import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './command.mjs';
import { fingerprint, inProject, readStamp, writeStamp } from './folders.mjs';
import { SetupError, type Step } from './step.mjs';

const node = inProject('node_modules', '.bin', 'node');
const SITES = path.join('cache', 'sites');

/** The sites that every copy of the project has: generated ones and pages from packages. */
export const sites: Step = {
  title: 'filling the site cache',
  isDone() {
    const { madeFrom, filled = {} } = readFilled();
    return (
      madeFrom === sources() &&
      Object.entries(filled).every(([site, listing]) => listingOf(site) === listing)
    );
  },
  run() {
    const { ok } = run(node, [inProject('cache', 'fill.ts')], { show: true });
    if (!ok) throw new SetupError('The site cache could not be filled; the message is above.');
    const filled = Object.fromEntries(ownSites().map((site) => [site, listingOf(site)]));
    const done: Filled = { madeFrom: sources(), filled };
    writeStamp('sites', `${JSON.stringify(done, null, 1)}\n`);
  },
};

/** What filling was done with, and the listing of every site that it has made. */
interface Filled {
  madeFrom: string;
  filled: Record<string, string | null>;
}

/** What decides the bytes of the cache: the code, the shapes, and the packages that pages are taken from. */
function sources(): string {
  return fingerprint(
    'cache/generator',
    'cache/shapes',
    'cache/importers',
    'cache/fill.ts',
    'cache/manifest.ts',
    'package-lock.json',
  );
}

function readFilled(): Partial<Filled> {
  try {
    return JSON.parse(readStamp('sites') ?? '{}');
  } catch {
    return {}; // Of an earlier version.
  }
}

/** The sites that filling has made, not those that somebody imported or recorded. */
function ownSites(): string[] {
  return readdirSync(inProject(SITES)).filter((site) => {
    const file = inProject(SITES, site, 'index.json');
    try {
      const { kind, importedFrom } = JSON.parse(readFileSync(file, 'utf8'));
      return ['generated', 'package'].includes(kind) && importedFrom === undefined;
    } catch {
      return false;
    }
  });
}

/** Changes with the name, size or time of any file of a site, but costs no reading; null: it is not whole. */
function listingOf(site: string): string | null {
  const hash = createHash('sha256');
  for (const folder of [inProject(SITES, site), inProject(SITES, site, 'bodies')]) {
    if (!existsSync(folder)) return null;
    for (const name of readdirSync(folder).sort()) {
      const { size, mtimeMs } = lstatSync(`${folder}/${name}`);
      hash.update(`${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
