import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { listSites, siteFolder } from '../cache/catalogue.ts';
import { hostsOf, manifestFile, readManifest, type SiteManifest } from '../cache/manifest.ts';
import type { PlannedSite, Trial } from '../records/run.ts';
import { UsageError } from './errors.ts';
import type { Options } from './options.ts';
import { makeSchedule } from './schedule.ts';
import type { Stack } from './stacks.ts';

/** A site of the plan with what is needed to serve it. */
export interface SiteToLoad {
  planned: PlannedSite;
  manifest: SiteManifest;
  folder: string;
  hosts: string[];
}

/** Everything that is decided before the first load; frozen. */
export interface Plan {
  sites: readonly SiteToLoad[];
  stacks: readonly Stack[];
  trials: readonly Trial[];
}

/**
 * Resolves the options to a plan.
 * @throws UsageError for a site that the cache does not have; DamagedSiteError for one that cannot be served.
 */
export async function makePlan(options: Options): Promise<Plan> {
  const known = new Set(listSites());
  const unknown = options.sites.filter((site) => !known.has(site));
  if (unknown.length > 0) {
    throw new UsageError(
      `Unknown site ${unknown.join(', ')}. The cache has: ${[...known].join(', ')}; or one of the sets quick, published, all.`,
    );
  }
  const sites = await Promise.all(options.sites.map(siteToLoad));
  const stacks = options.stacks;
  const trials = makeSchedule({
    sites: options.sites,
    stacks: stacks.map(({ stack }) => stack),
    networks: options.networks,
    visits: options.visits,
    repetitions: options.repetitions,
    order: options.choices.order,
    seed: options.seed,
  });
  return Object.freeze({ sites, stacks, trials: Object.freeze(trials) });
}

async function siteToLoad(site: string): Promise<SiteToLoad> {
  const folder = siteFolder(site);
  const manifest = await readManifest(folder);
  const hosts = hostsOf(manifest);
  return {
    manifest,
    folder,
    hosts,
    planned: {
      site,
      url: manifest.url,
      source: manifest.source,
      kind: manifest.kind,
      hosts: hosts.length,
      resources: manifest.resources.length,
      wireBytes: manifest.resources.reduce((sum, resource) => sum + resource.wireBytes, 0),
      manifestSha256: createHash('sha256')
        .update(readFileSync(manifestFile(folder)))
        .digest('hex'),
    },
  };
}
