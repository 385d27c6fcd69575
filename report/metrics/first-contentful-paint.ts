import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** When a user sees the first of the page. */
export const firstContentfulPaint: Metric = {
  name: 'firstContentfulPaint',
  column: 'fcp',
  label: 'First contentful paint',
  unit: 'ms',
  definition:
    'From the start of the navigation (navigationStart) to the first text or image painted.',
  source: 'the Paint Timing of the page, read by the browser itself',
  of: (load) => timingReading(load, 'firstContentfulPaint', 'the page painted nothing'),
};
