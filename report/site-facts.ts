import type { PlannedSite } from '../records/run.ts';

/** What is known of a site's page before it is loaded. */
export type SiteFacts = Pick<
  PlannedSite,
  'site' | 'url' | 'source' | 'kind' | 'hosts' | 'resources' | 'wireBytes'
>;

/** What was planned of a site, without anything that a record may hold beside it. */
export function siteFactsOf({
  site,
  url,
  source,
  kind,
  hosts,
  resources,
  wireBytes,
}: PlannedSite): SiteFacts {
  return { site, url, source, kind, hosts, resources, wireBytes };
}
