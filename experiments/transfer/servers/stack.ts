import path from 'node:path';
import { KEY_EXCHANGES } from '../../../ground/records/key-exchange.ts';
import { bun } from '../../../ground/runtimes/bun.ts';
import type { Stack } from '../../../ground/stack.ts';
import { lsquicH3 } from '../../../servers/lsquic-h3/stack.ts';

const program = (file: string) => path.join(import.meta.dirname, file);

/** TCP alone. */
export const plainTcp = {
  stack: 'plain-tcp',
  label: 'Bun (TCP, no HTTP)',
  protocol: 'tcp',
  note: 'A line of text requests a file over TCP alone, not encrypted and without HTTP: node:net in a Bun program.',
  byDefault: false,
  runtime: bun,
  program: program('tcp-server.ts'),
} as const satisfies Stack;

/** TLS 1.3 on TCP, without HTTP. */
export const plainTls = {
  stack: 'plain-tls',
  label: 'Bun (TLS, no HTTP)',
  protocol: 'tls',
  note: 'A line of text requests a file over TLS 1.3 and TCP, without HTTP: node:tls in a Bun program, with certificate and files of the HTTP stacks.',
  byDefault: false,
  runtime: bun,
  program: program('tls-server.ts'),
  keyExchanges: KEY_EXCHANGES,
} as const satisfies Stack;

/** QUIC without HTTP/3. */
export const plainQuic = {
  stack: 'plain-quic',
  label: 'lsquic (QUIC, no HTTP)',
  protocol: 'quic',
  note: 'A line of text requests a file over a QUIC stream, without HTTP/3: lsquic in a Bun program, set up as for HTTP/3.',
  byDefault: false,
  runtime: bun,
  program: program('quic-server.ts'),
  keyExchanges: KEY_EXCHANGES,
  tcpTwin: plainTls,
  transport: lsquicH3.transport,
} as const satisfies Stack;
