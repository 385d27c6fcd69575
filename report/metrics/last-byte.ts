import type { Metric } from './metric.ts';
import { NO_HAR, timingReading } from './metric-reading.ts';

/** When the network has done its work. */
export const lastByte: Metric = {
  name: 'lastByte',
  column: 'last_byte',
  label: 'Last byte',
  unit: 'ms',
  definition:
    'From the start of the navigation (navigationStart) to the end of the last response, whether the load event waited for it or not.',
  source: 'the entry of the HAR that ends last',
  of: (load) => timingReading(load, 'lastByte', NO_HAR),
};
