import { bun } from '../../clients/bun/client.ts';
import { clientsFor } from '../../clients/index.ts';
import type { RawOptions } from '../../ground/options/row.ts';

// Like curl, a client of the study, this client sends early over TLS 1.2; else the usual one.
const client = (clientsFor('connect').find(({ connect }) => connect.startsEarly) ?? bun).name;

/**
 * Connections as in D'Agata's study of 2024, every packet captured: QUIC and TCP with TLS 1.3 by one client, one request each. The
 * shortest delay is that of the connection that the study prints.
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
