import type { Metric } from './metric.ts';
import { trafficReading } from './metric-reading.ts';

/** What came over the network for the page. */
export const bytesOnTheWire: Metric = {
  name: 'wireBytes',
  column: 'wire',
  label: 'Bytes on the wire',
  unit: 'bytes',
  definition:
    'Bytes of all responses as received, headers and compression included, after TLS or QUIC is taken off.',
  source: 'the sizes in the HAR',
  of: (load) => trafficReading(load, ({ wireBytes }) => wireBytes, 'the HAR lacks a size'),
};
