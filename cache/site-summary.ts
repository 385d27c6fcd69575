import type { RequestCounts, ResourceType, SiteManifest } from './manifest.ts';
import { hostsOf, RESOURCE_TYPES } from './manifest.ts';

/** What a site is, in numbers: one row of the list of sites. */
export interface SiteSummary {
  site: string;
  kind: SiteManifest['kind'];
  hosts: number;
  resources: number;
  /** Of all bodies, as sent. */
  wireBytes: number;
  /** Responses of each type, in the order of the format; types that do not occur are missing. */
  types: [type: ResourceType, resources: number][];
  /** The day on which it was saved or recorded (ISO 8601); null: not known, or never anywhere. */
  recordedOn: string | null;
  source: string;
  /** What became of the requests of its recording; null: not known, or there was none. */
  requests: RequestCounts | null;
}

/** The row of one site. */
export function siteSummary(manifest: SiteManifest): SiteSummary {
  const { resources } = manifest;
  const counted = RESOURCE_TYPES.map((type): [ResourceType, number] => [
    type,
    resources.filter((resource) => resource.type === type).length,
  ]);
  return {
    site: manifest.site,
    kind: manifest.kind,
    hosts: hostsOf(manifest).length,
    resources: resources.length,
    wireBytes: resources.reduce((sum, { wireBytes }) => sum + wireBytes, 0),
    types: counted.filter(([, count]) => count > 0),
    recordedOn: manifest.recordedAt?.slice(0, 10) ?? null,
    source: manifest.source,
    requests: manifest.requests ?? null,
  };
}
