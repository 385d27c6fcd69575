import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { ConnectingClient } from '../client.ts';
import { clientRuntime } from '../python/client-runtime.ts';

/** libcurl with ngtcp2 and BoringSSL, by curl-cffi. */
export const curl: ConnectingClient = {
  name: 'curl',
  label: 'libcurl (ngtcp2)',
  resumptions: {
    quic: ['none', 'ticket'],
    'tls1.3': ['none', 'ticket'],
    'tls1.2': ['none', 'ticket'],
    tcp: ['none'],
  },
  keyExchanges: KEY_EXCHANGES,
  startsEarly: true,
  runtime: clientRuntime('curl', 'curl-cffi'),
  program: path.join(import.meta.dirname, 'connect_program.py'),
};
