import { runSchema } from '../../ground/records/run.ts';
import { object, type Static } from '../../ground/records/schema.ts';

export const SUMMARY_FORMAT_VERSION = 7;

const { subject, url, source, kind, hosts, resources, wireBytes } =
  runSchema.properties.subjects.items.properties;

export const siteFactsSchema = object(
  { subject, url, source, kind, hosts, resources, wireBytes },
  "What is known of a site's page before it is loaded.",
);

export type SiteFacts = Static<typeof siteFactsSchema>;
