import path from 'node:path';
import { DEFAULT_KEY_EXCHANGE } from '../../ground/records/key-exchange.ts';
import type { Client } from '../client.ts';
import { clientRuntime } from '../python/client-runtime.ts';

/** aioquic, which is QUIC alone, written in Python. */
export const aioquic: Client = {
  name: 'aioquic',
  label: 'aioquic',
  keyExchanges: [DEFAULT_KEY_EXCHANGE],
  runtime: clientRuntime('aioquic', 'aioquic'),
  connect: {
    program: path.join(import.meta.dirname, 'connect_program.py'),
    resumptions: { quic: ['none', 'ticket', 'early-data'] },
  },
};
