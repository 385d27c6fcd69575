import type { PlannedSubject } from '../../records/run.ts';

/** What is known of a site's page before it is loaded. */
export type SiteFacts = Pick<
  PlannedSubject,
  'subject' | 'url' | 'source' | 'kind' | 'hosts' | 'resources' | 'wireBytes'
>;

/** What was planned of a site, without anything that a record may hold beside it. */
export function siteFactsOf({
  subject,
  url,
  source,
  kind,
  hosts,
  resources,
  wireBytes,
}: PlannedSubject): SiteFacts {
  return { subject, url, source, kind, hosts, resources, wireBytes };
}
