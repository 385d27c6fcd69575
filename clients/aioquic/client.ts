import path from 'node:path';
import { USUAL_KEY_EXCHANGE } from '../../ground/records/key-exchange.ts';
import type { ConnectingClient } from '../client.ts';
import { clientRuntime } from '../python/client-runtime.ts';

/** aioquic, which is QUIC alone, written in Python. */
export const aioquic: ConnectingClient = {
  name: 'aioquic',
  label: 'aioquic',
  resumptions: { quic: ['none', 'ticket', 'early-data'] },
  keyExchanges: [USUAL_KEY_EXCHANGE],
  runtime: clientRuntime('aioquic', 'aioquic'),
  program: path.join(import.meta.dirname, 'connect_program.py'),
};
