import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Client } from '../client.ts';
import { clientRuntime } from '../python/client-runtime.ts';

/** libcurl with ngtcp2 and BoringSSL, by curl-cffi. */
export const curl: Client = {
  name: 'curl',
  label: 'libcurl (ngtcp2)',
  keyExchanges: KEY_EXCHANGES,
  runtime: clientRuntime('curl', 'curl-cffi'),
  connect: {
    program: path.join(import.meta.dirname, 'connect_program.py'),
    resumptions: {
      quic: ['none', 'ticket'],
      'tls1.3': ['none', 'ticket'],
      'tls1.2': ['none', 'ticket'],
      tcp: ['none'],
    },
    startsEarly: true,
    maySendSource: 'by curl its time_appconnect',
  },
  transfer: {
    by: path.join(import.meta.dirname, 'transfer_program.py'),
    whyWindowsAreFixed: (protocol) =>
      protocol === 'h3' ? "libcurl's QUIC windows grow from any initial size" : null,
  },
};
