import type { RawOptions } from '../../ground/options/row.ts';

/**
 * The full handshakes that B. Jaeger timed, by QUIC, TLS 1.3 and TLS 1.2, until the instant of his verdicts. An emulated path replaces
 * the hosts of the internet, so that the points of a line differ only by delay.
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
