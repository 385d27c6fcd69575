import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import { bun } from '../../ground/runtimes/bun.ts';
import type { Stack } from '../../ground/stack.ts';
import { bunH2 } from '../bun-h2/stack.ts';
import { lsquicH3 } from '../lsquic-h3/stack.ts';

export const bunDual = {
  stack: 'bun-dual',
  label: 'Bun (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as Bun (h2) and HTTP/3 as lsquic (h3), in one Bun program at one address and port. The browser chooses between them.',
  byDefault: false,
  runtime: bun,
  program: path.join(import.meta.dirname, 'server.ts'),
  keyExchanges: KEY_EXCHANGES,
  tcpTwin: bunH2,
  transport: lsquicH3.transport,
  responseOrders: { ...lsquicH3.responseOrders, ...bunH2.responseOrders },
} as const satisfies Stack;
