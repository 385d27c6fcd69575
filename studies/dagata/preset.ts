import { bun } from '../../clients/bun/client.ts';
import { clientsFor } from '../../clients/index.ts';
import type { RawOptions } from '../../ground/options/row.ts';

// curl was one of the study's clients: a client that sends early over TLS 1.2 like it, or else the usual one.
const client = (clientsFor('connect').find(({ connect }) => connect.startsEarly) ?? bun).name;

/**
 * Connections as D'Agata's study of 2024 watched them, every packet captured, by one client of both protocols: QUIC and TCP with TLS 1.3, and one
 * request. The shortest delay is that of the connection which the study prints.
 */
export const DAGATA: RawOptions = {
  sites: 'www.example.org',
  stacks: 'lsquic-h3,bun-h2',
  via: 'quic,tls1.3',
  client,
  requests: '1',
  rtt: '18,50,100',
  repetitions: '12',
  packets: 'all',
};
