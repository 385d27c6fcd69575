import { type PlannedSubject, runSchema } from '../records/run.ts';
import { object, type Static } from '../records/schema.ts';

const { subject, url, source, kind, hosts, resources, wireBytes } =
  runSchema.properties.subjects.items.properties;

export const siteFactsSchema = object(
  { subject, url, source, kind, hosts, resources, wireBytes },
  "What is known of a site's page before it is loaded.",
);

/** What is known of a site's page before it is loaded. */
export type SiteFacts = Static<typeof siteFactsSchema>;

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
