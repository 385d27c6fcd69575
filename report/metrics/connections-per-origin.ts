import type { PageLoad } from '../../records/page-load.ts';
import type { Metric, MetricReading } from './metric.ts';
import { reading } from './metric-reading.ts';

/** HTTP/1.1 opens several connections to each host, HTTP/2 and HTTP/3 one. */
export const connectionsPerOrigin: Metric = {
  name: 'connectionsPerOrigin',
  column: 'connections_per_origin',
  label: 'Connections per origin',
  unit: 'count',
  definition:
    'Distinct connections that carried responses of a host: the mean over the hosts. A connection may serve several hosts.',
  source: 'the connections of the entries in the HAR',
  of: perHost,
};

function perHost({ traffic }: PageLoad): MetricReading {
  if (traffic === null) return reading(null, 'the load has no HAR');
  const counts = Object.values(traffic.connectionsByHost);
  if (counts.length === 0) return reading(null, 'no response came over a connection');
  return reading(counts.reduce((sum, count) => sum + count, 0) / counts.length, '');
}
