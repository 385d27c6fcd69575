import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** When a user sees most of the page. */
export const largestContentfulPaint: Metric = {
  name: 'largestContentfulPaint',
  column: 'lcp',
  label: 'Largest contentful paint',
  unit: 'ms',
  definition:
    'From the start of the navigation (navigationStart) to the painting of the largest text or image that was there when the load was read out.',
  source: 'the Largest Contentful Paint of the page, read by the browser itself',
  of: (load) =>
    timingReading(
      load,
      'largestContentfulPaint',
      'the page painted nothing that counts as content',
    ),
};
