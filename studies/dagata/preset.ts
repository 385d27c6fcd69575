import type { Given } from '../../ground/options/row.ts';

/**
 * Connections as D'Agata's study of 2024 watched them, every packet captured, by one client of both protocols, as curl was one of them there: QUIC
 * and TCP with TLS 1.3, and one request. The shortest delay is that of the connection which the study prints.
 */
export const DAGATA: Given = {
  sites: 'www.example.org',
  stacks: 'lsquic-h3,bun-h2',
  via: 'quic,tls1.3',
  client: 'curl',
  requests: '1',
  rtt: '18,50,100',
  repetitions: '12',
  packets: 'all',
};
