import type { Metric } from './metric.ts';
import { trafficReading } from './metric-reading.ts';

/** How far the protocol lets requests go at the same time. */
export const peakConcurrentRequests: Metric = {
  name: 'peakConcurrentRequests',
  column: 'peak_requests',
  label: 'Peak concurrent requests',
  unit: 'count',
  definition:
    'The most requests that were under way at the same time, each from its sending to its last byte.',
  source: 'the entries of the HAR',
  of: (load) => trafficReading(load, (traffic) => traffic.peakConcurrentRequests),
};
