import { runSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';

export const SUMMARY_FORMAT_VERSION = 10;

const { subject, url, source, kind, hosts, resources, wireBytes } =
  runSchema.properties.subjects.items.properties;

export const siteFactsSchema = s.object(
  { subject, url, source, kind, hosts, resources, wireBytes },
  "What is known of a site's page before it is loaded.",
);

export type SiteFacts = s.Static<typeof siteFactsSchema>;
