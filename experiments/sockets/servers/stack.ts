import path from 'node:path';
import { KEY_EXCHANGES } from '../../../ground/records/key-exchange.ts';
import { bun } from '../../../ground/runtimes/bun.ts';
import type { Stack } from '../../../ground/stack.ts';
import { lsquicH3 } from '../../../servers/lsquic-h3/stack.ts';

const program = (file: string) => path.join(import.meta.dirname, file);

/** TLS 1.3 on TCP, without HTTP. */
export const socketTls = {
  stack: 'socket-tls',
  label: 'node:tls (TCP, TLS 1.3)',
  protocol: 'tls',
  note: 'TLS 1.3 on TCP without HTTP: node:tls in a Bun program. TCP runs in the kernel.',
  byDefault: true,
  runtime: bun,
  program: program('tls-server.ts'),
  keyExchanges: KEY_EXCHANGES,
} as const satisfies Stack;

/** QUIC without HTTP/3. */
export const socketQuic = {
  stack: 'socket-quic',
  label: 'node:quic (QUIC)',
  protocol: 'quic',
  note: 'QUIC without HTTP/3: node:quic (lsquic) in the same Bun program. QUIC runs in the program itself, over UDP.',
  byDefault: true,
  runtime: bun,
  program: program('quic-server.ts'),
  keyExchanges: KEY_EXCHANGES,
  tcpTwin: socketTls,
  transport: lsquicH3.transport,
} as const satisfies Stack;

/** TCP alone: separates its cost from that of TLS. */
export const socketTcp = {
  stack: 'socket-tcp',
  label: 'node:net (TCP)',
  protocol: 'tcp',
  note: 'TCP alone, not encrypted: node:net in the same Bun program.',
  byDefault: true,
  runtime: bun,
  program: program('tcp-server.ts'),
} as const satisfies Stack;
