import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** The time of one request, the main document's: what DevTools shows in its Time column for the first row. */
export const documentTime: Metric = {
  name: 'documentTime',
  column: 'document',
  label: 'Document time',
  unit: 'ms',
  definition:
    'Duration of the request for the main document alone, as in the Time column of DevTools. It says nothing about the rest of the page.',
  source: 'the time of the main document’s entry in the HAR',
  of: (load) => timingReading(load, 'documentTime', 'the HAR has no such request'),
};
