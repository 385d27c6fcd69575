import type { RawOptions } from '../../ground/options/row.ts';

/**
 * The handshakes that B. Jaeger timed, full ones by QUIC, TLS 1.3 and TLS 1.2, to the instant that verdicts on his tables are about. A path whose delay is set
 * takes the place of hosts of the internet, so that nothing but the delay differs among the points of a line.
 */
export const JAEGER: RawOptions = {
  sites: 'www.example.org',
  stacks: 'lsquic-h3,bun-h2',
  via: 'quic,tls1.3,tls1.2',
  rtt: '10,20,50,100',
  repetitions: '20',
  metric: 'complete',
  dialect: 'jaeger',
};
