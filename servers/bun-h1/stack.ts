import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import { bun } from '../../ground/runtimes/bun.ts';
import type { Stack } from '../../ground/stack.ts';

export const bunH1 = {
  stack: 'bun-h1',
  label: 'Bun (http/1.1)',
  protocol: 'http/1.1',
  note: 'HTTP/1.1 with keep-alive over TLS and TCP, from the same Bun program with the same handler. TCP runs in the kernel.',
  byDefault: false,
  runtime: bun,
  program: path.join(import.meta.dirname, 'server.ts'),
  keyExchanges: KEY_EXCHANGES,
} as const satisfies Stack;
