import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Client } from '../client.ts';

const file = (name: string) => path.join(import.meta.dirname, name);

/** lsquic and BoringSSL in Bun, by node:quic and node:tls. */
export const bun = {
  name: 'bun',
  label: 'Bun',
  keyExchanges: KEY_EXCHANGES,
  runtime: null,
  connect: {
    program: file('connect-program.ts'),
    resumptions: {
      quic: ['none', 'ticket', 'early-data'],
      'tls1.3': ['none', 'ticket'],
      'tls1.2': ['none', 'ticket'],
      tcp: ['none'],
    },
    maySendSource: 'by Bun secureConnect of node:tls and the key log of node:quic',
  },
  transfer: { by: file('transfer-program.ts'), needsNoHttp: true },
  get: file('get-program.ts'),
  examine: file('examine-program.ts'),
} as const satisfies Client;
