import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import { bun } from '../../ground/runtimes/bun.ts';
import type { Stack } from '../../ground/stack.ts';

export const bunH2 = {
  stack: 'bun-h2',
  label: 'Bun (h2)',
  protocol: 'h2',
  note: 'HTTP/2 over TLS and TCP, from the same Bun program with the same handler. TCP runs in the kernel.',
  byDefault: true,
  runtime: bun,
  program: path.join(import.meta.dirname, 'server.ts'),
  keyExchanges: KEY_EXCHANGES,
  responseOrders: { h2: 'interleaved' },
  selectableOrder: { library: 'node:http2' },
} as const satisfies Stack;
