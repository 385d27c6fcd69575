import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { ConnectingClient } from '../client.ts';
import { BUN_CONNECT } from './connect.ts';

/** lsquic and BoringSSL in Bun, by node:quic and node:tls. */
export const bun: ConnectingClient = {
  name: 'bun',
  label: 'Bun',
  resumptions: {
    quic: ['none', 'ticket', 'early-data'],
    'tls1.3': ['none', 'ticket'],
    'tls1.2': ['none', 'ticket'],
    tcp: ['none'],
  },
  keyExchanges: KEY_EXCHANGES,
  runtime: null,
  program: BUN_CONNECT,
};
