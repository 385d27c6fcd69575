import { phasesSchema, replaySchema, trafficSchema } from '../../clients/chromium/records.ts';
import type { Observation } from '../../records/observation.ts';
import { list, object, optional, orNull, type Static, sha256, text } from '../../records/schema.ts';

/** What a page load's record has beside what all have. */
export const pageLoadDetailsSchema = object(
  {
    phasesMs: orNull(phasesSchema),
    traffic: orNull(trafficSchema),
    replay: orNull(replaySchema),
    requestSetSha256: optional(
      orNull(
        sha256(
          'Over method and URL of the requests sent, each once, favicon.ico left out: the same in two loads that asked for the same; null: no HAR.',
        ),
      ),
    ),
    blamed: optional(
      list(
        text('A URL.'),
        'Resources for which the load is invalid, the first 20; absent: none, or unknown.',
      ),
    ),
  },
  'What only page loads have.',
);

export type PageLoadDetails = Static<typeof pageLoadDetailsSchema>;

/** One attempted page load: one line of page-loads.jsonl. */
export type PageLoad = Observation<PageLoadDetails>;

export type { LoadPhasesMs } from '../../clients/chromium/records.ts';
