import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** The headline: how long until everything that the page waits for has arrived. */
export const pageLoadTime: Metric = {
  name: 'pageLoad',
  column: 'plt',
  label: 'Page load time',
  unit: 'ms',
  definition:
    'From the start of the navigation (navigationStart) to the end of the load event (loadEventEnd) of the main document.',
  source: 'the Navigation Timing of the page, read by the browser itself',
  of: (load) => timingReading(load, 'pageLoad', 'the page told no end of its load event'),
};
