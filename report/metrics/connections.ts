import type { Metric } from './metric.ts';
import { trafficReading } from './metric-reading.ts';

/** How many connections the page was loaded over. */
export const connections: Metric = {
  name: 'connections',
  column: 'connections',
  label: 'Connections',
  unit: 'count',
  definition: 'Distinct connections that carried a response.',
  source: 'the entries of the HAR',
  of: (load) => trafficReading(load, ({ connections }) => connections),
};
