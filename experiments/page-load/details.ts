import { phasesSchema, replaySchema, trafficSchema } from '../../clients/chromium/records.ts';
import type { Observation } from '../../records/observation.ts';
import {
  list,
  number,
  object,
  optional,
  orNull,
  type Static,
  sha256,
  text,
} from '../../records/schema.ts';

/** Of so many of a site's resources the record says when they came: more are no clearer in a chart. */
export const MOST_FINISH_TIMES = 500;

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
    finishMs: optional(
      orNull(
        list(
          orNull(number('In ms, to a tenth of one; null: it was not asked for, or never came.')),
          `When the last byte of each of the site's resources came over the network, in the order of its manifest, the first ${MOST_FINISH_TIMES}, after the main document was asked for; null: no HAR.`,
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
