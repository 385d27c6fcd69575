import type { Metric } from './metric.ts';
import { trafficReading } from './metric-reading.ts';

/** How many objects were asked for. */
export const requests: Metric = {
  name: 'requests',
  column: 'requests',
  label: 'Requests',
  unit: 'count',
  definition: 'Requests sent, redirects counted one by one, responses from the cache left out.',
  source: 'the entries of the HAR',
  of: (load) => trafficReading(load, ({ requests }) => requests),
};
