import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { siteFolder, sitesFolder } from './catalogue.ts';
import { generatePage } from './generator/page.ts';
import { importPackagePages, PackagePageError } from './importers/packages.ts';
import { writeSite } from './manifest.ts';
import { isOwnSite } from './own-site.ts';
import { type PageShape, readShapes } from './shapes/shapes.ts';
import { problemsOfSite } from './verification.ts';

/** What the sites in a cache were generated from: site name to fingerprint of its shape and of the generator. */
type Fingerprints = Record<string, string>;

/** What fillGenerated did. */
export interface FilledSites {
  written: string[];
  /** There already, generated from the same. */
  upToDate: string[];
  /** There already under the same name, but not generated: somebody's own page. */
  notOurs: string[];
}

/** Writes the generated sites that are missing, damaged or made by another generator or from another shape. */
export async function fillGenerated(
  sites = sitesFolder,
  shapes: PageShape[] = readShapes(),
): Promise<FilledSites> {
  await mkdir(sites, { recursive: true });
  const file = path.join(sites, '.generated.json');
  const known = readFingerprints(file);
  const generator = generatorFingerprint();
  const filled: FilledSites = { written: [], upToDate: [], notOurs: [] };
  for (const shape of shapes) {
    const folder = siteFolder(shape.site, sites);
    const fingerprint = sha256(generator + JSON.stringify(shape));
    if (isOwnSite(folder, 'generated')) {
      filled.notOurs.push(shape.site);
    } else if (known[shape.site] === fingerprint && (await problemsOfSite(folder)).length === 0) {
      filled.upToDate.push(shape.site);
    } else {
      const { manifest, bodies } = generatePage(shape);
      await writeSite(folder, manifest, bodies);
      known[shape.site] = fingerprint;
      filled.written.push(shape.site);
    }
  }
  if (filled.written.length > 0) await writeFingerprints(file, known);
  return filled;
}

function readFingerprints(file: string): Fingerprints {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Not there or not readable: everything is generated again.
    return {};
  }
}

async function writeFingerprints(file: string, fingerprints: Fingerprints): Promise<void> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(fingerprints, null, 1)}\n`);
  await rename(unfinished, file);
}

/** Changes whenever the code that generates, or the zlib that compresses, changes. */
function generatorFingerprint(): string {
  const files = globSync('generator/*.ts', { cwd: import.meta.dirname }).sort();
  const sources = [...files, 'manifest.ts'].map((file) =>
    readFileSync(path.join(import.meta.dirname, file), 'utf8'),
  );
  return sha256([process.versions.zlib, ...sources].join('\n'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

if (import.meta.main) {
  const startedMs = performance.now();
  const { written, upToDate, notOurs } = await fillGenerated();
  const kept = notOurs.length > 0 ? `, ${notOurs.length} replaced by pages of your own` : '';
  let packages = '';
  try {
    packages = `${(await importPackagePages()).length} pages from packages`;
  } catch (error) {
    if (!(error instanceof PackagePageError)) throw error;
    console.error(error.message);
    packages = 'no pages from packages';
    // This machine lacks something.
    process.exitCode = 3;
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `Site cache: ${written.length} generated sites written, ${upToDate.length} up to date${kept}; ` +
      `${packages} (${seconds} s)`,
  );
}
