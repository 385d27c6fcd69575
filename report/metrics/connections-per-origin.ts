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
    'Connections opened in the load whose handshake was completed, divided by the hosts that they were made for: the mean over the hosts.',
  source: 'the connections in the browser’s own log of its network (NetLog)',
  of: perHost,
};

function perHost({ connections }: PageLoad): MetricReading {
  if (connections === null) return reading(null, 'the browser’s log of its network was not read');
  if (!connections.whole) return reading(null, 'the browser’s log of its network is not whole');
  const made = connections.opened.filter(({ handshake }) => handshake !== null);
  const hosts = new Set(made.map(({ host }) => host));
  if (hosts.size === 0) return reading(null, 'the load opened no connection');
  return reading(made.length / hosts.size, '');
}
