import { createHash } from 'node:crypto';
import { siteFolder } from '../cache/catalogue.ts';
import { hostsOf, manifestFile, readManifest, type SiteManifest } from '../cache/manifest.ts';
import { nearlyEmpty } from '../cache/recorded-requests.ts';
import { hostOf } from '../ground/options/hosts.ts';
import { bytesOfSize } from '../ground/options/sizes.ts';
import type { PlannedSubject } from '../ground/records/run.ts';
import { UsageError } from '../ground/system/errors.ts';
import { readPlainFileSync } from '../ground/system/plain-file.ts';

/** A host or page of the network, outside the bench. */
export type LiveSubject = Pick<PlannedSubject, 'subject' | 'url' | 'source' | 'kind'>;

export interface SiteToLoad {
  planned: PlannedSubject;
  /** The served site; null: the subject is a live host. */
  manifest: SiteManifest | null;
  folder: string;
  hosts: string[];
}

/** A subject that the run does not serve. */
export function unservedSubject(planned: PlannedSubject): SiteToLoad {
  return { manifest: null, folder: '', hosts: [hostOf(planned.url).host], planned };
}

export function liveSubjectToLoad(about: LiveSubject): SiteToLoad {
  return unservedSubject({
    ...about,
    hosts: 1,
    resources: 0,
    wireBytes: 0,
    manifestSha256: createHash('sha256').update(about.url).digest('hex'),
  });
}

/** A site for each size. Missing sites are made one at a time, because large ones are written to the disk. */
export async function subjectsOfSizes(sizes: readonly string[]): Promise<SiteToLoad[]> {
  const { sizedSite } = await import('../cache/sized-site.ts');
  const subjects: SiteToLoad[] = [];
  for (const size of sizes) {
    const bytes = bytesOfSize(size);
    if (bytes === null) {
      throw new UsageError(`The plan has the size ${size}, expected a size from 0B to 2GB.`);
    }
    const folder = await sizedSite(size, bytes);
    subjects.push(await siteToLoad(size, folder));
  }
  return subjects;
}

/**
 * Reads a site of the cache.
 * @throws DamagedSiteError if it is missing or damaged
 */
export async function siteToLoad(site: string, folder = siteFolder(site)): Promise<SiteToLoad> {
  const manifest = await readManifest(folder);
  const hosts = hostsOf(manifest);
  const warning = nearlyEmpty(manifest);
  return {
    manifest,
    folder,
    hosts,
    planned: {
      subject: site,
      url: manifest.url,
      source: manifest.source,
      kind: manifest.kind,
      hosts: hosts.length,
      resources: manifest.resources.length,
      wireBytes: manifest.resources.reduce((sum, resource) => sum + resource.wireBytes, 0),
      manifestSha256: createHash('sha256')
        .update(readPlainFileSync(manifestFile(folder)))
        .digest('hex'),
      ...(warning === null ? {} : { warning }),
    },
  };
}
