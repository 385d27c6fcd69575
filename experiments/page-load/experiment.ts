import type { Experiment, Factor } from '../experiment.ts';
import { pageLoadDetailsSchema } from './details.ts';
import { PAGE_LOAD_METRICS } from './metrics.ts';
import { readingsOfPageLoads } from './readings.ts';
import { remediesOfPageLoads } from './remedies.ts';

/** What the browser knows of the site when the load begins. */
const visit = {
  cold: { text: 'first visit', phrase: null },
  repeat: { text: 'repeat visit with a filled cache', phrase: 'a repeat visit' },
  resumed: { text: 'empty cache, but sessions to resume', phrase: 'a resumed visit' },
  reload: { text: 'reload over connections that are open', phrase: 'a reload visit' },
} satisfies Factor;

/** Pages of the cache, loaded in Chromium. */
export const pageLoad: Experiment = {
  name: 'page-load',
  attempt: ['load', 'loads'],
  subject: ['page', 'pages'],
  client: 'chromium',
  clientNoun: 'browser',
  recordFile: 'page-loads.jsonl',
  details: pageLoadDetailsSchema,
  factors: { visit },
  metrics: PAGE_LOAD_METRICS,
  readings: readingsOfPageLoads,
  remedies: remediesOfPageLoads,
};
