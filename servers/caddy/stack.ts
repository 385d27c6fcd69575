import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Stack } from '../../ground/stack.ts';
import { quicGoTransport } from '../quic-go-transport.ts';
import { caddy } from './runtime.ts';

const byCaddy = {
  byDefault: false,
  runtime: caddy,
  program: path.join(import.meta.dirname, 'server.ts'),
  keyExchanges: KEY_EXCHANGES,
} as const;

const caddyH2 = {
  ...byCaddy,
  stack: 'caddy-h2',
  label: 'Caddy (h2)',
  protocol: 'h2',
  note: "HTTP/2 over TLS and TCP: Caddy as a reverse proxy of this project's own server, in front of the program of caddy-h3. TCP runs in the kernel.",
  programArguments: ['caddy-h2'],
  responseOrders: { h2: 'interleaved' },
} as const satisfies Stack;

const caddyH3: Stack = {
  ...byCaddy,
  stack: 'caddy-h3',
  label: 'Caddy (h3)',
  protocol: 'h3',
  speaksQuicV2: true,
  note: "HTTP/3 over QUIC: Caddy, with quic-go, as a reverse proxy of this project's own server. It has no congestion control but Reno. QUIC runs in Caddy itself, over UDP.",
  programArguments: ['caddy-h3'],
  tcpTwin: caddyH2,
  responseOrders: { h3: 'by priority' },
  // quic-go sets socket buffers of 7 MB, which needs this capability if net.core.rmem_max is smaller.
  keeps: ['net_admin'],
  transport: {
    ...quicGoTransport,
    initialWindowSource: 'internal/congestion/cubic_sender.go of quic-go',
  },
};

const caddyDual: Stack = {
  ...caddyH3,
  stack: 'caddy-dual',
  label: 'Caddy (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as Caddy (h2) and HTTP/3 as Caddy (h3), in one Caddy at one address and port. The browser chooses between them.',
  programArguments: ['caddy-dual'],
  responseOrders: { ...caddyH3.responseOrders, ...caddyH2.responseOrders },
};

export const caddyStacks = [caddyH3, caddyH2, caddyDual] as const;
