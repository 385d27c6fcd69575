import { phasesSchema, replaySchema, trafficSchema } from '../../clients/chromium/records.ts';
import type { Observation } from '../../records/observation.ts';
import { object, orNull, type Static } from '../../records/schema.ts';

/** What a page load's record has beside what all have. */
export const pageLoadDetailsSchema = object(
  {
    phasesMs: orNull(phasesSchema),
    traffic: orNull(trafficSchema),
    replay: orNull(replaySchema),
  },
  'What only page loads have.',
);

export type PageLoadDetails = Static<typeof pageLoadDetailsSchema>;

/** One attempted page load: one line of page-loads.jsonl. */
export type PageLoad = Observation<PageLoadDetails>;

export type { LoadPhasesMs } from '../../clients/chromium/records.ts';
