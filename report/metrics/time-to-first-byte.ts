import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** How long until the server's answer begins; the handshakes are in it. */
export const timeToFirstByte: Metric = {
  name: 'firstByte',
  column: 'ttfb',
  label: 'Time to first byte',
  unit: 'ms',
  definition:
    'From the start of the navigation (navigationStart) to the first byte of the main document (responseStart), the set-up of the connection included.',
  source: 'the Navigation Timing of the page, read by the browser itself',
  of: (load) => timingReading(load, 'firstByte', 'the page told no first byte'),
};
