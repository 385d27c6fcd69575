import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** When the document is there, without its images. */
export const domContentLoaded: Metric = {
  name: 'domContentLoaded',
  column: 'dcl',
  label: 'DOMContentLoaded',
  unit: 'ms',
  definition:
    'From the start of the navigation (navigationStart) to the end of the DOMContentLoaded event (domContentLoadedEventEnd): the document is read and its scripts have run; images may still be missing.',
  source: 'the Navigation Timing of the page, read by the browser itself',
  of: (load) => timingReading(load, 'domContentLoaded', 'the page told no end of DOMContentLoaded'),
};
