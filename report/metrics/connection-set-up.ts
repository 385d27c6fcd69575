import type { Metric } from './metric.ts';
import { timingReading } from './metric-reading.ts';

/** The handshake of the first connection, where QUIC's is one round trip shorter. */
export const connectionSetUp: Metric = {
  name: 'connect',
  column: 'connect',
  label: 'Connection set-up',
  unit: 'ms',
  definition:
    'How long the connection of the main document took to set up: TCP and TLS one after the other, or QUIC with its TLS inside.',
  source: 'timings.connect of the main document’s entry in the HAR',
  of: (load) =>
    timingReading(load, 'connect', 'the main document’s request shows no set-up of a connection'),
};
