import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Stack } from '../../ground/stack.ts';
import { quicGoTransport } from '../quic-go-transport.ts';
import { go } from './runtime.ts';

const inGo = { byDefault: false, runtime: go, keyExchanges: KEY_EXCHANGES } as const;

const goH2 = {
  ...inGo,
  stack: 'go-h2',
  label: 'Go (h2)',
  protocol: 'h2',
  note: "HTTP/2 over TLS and TCP, from the same Go program with the same handler, by Go's own net/http with its usual settings: up to 250 requests at a time. TCP runs in the kernel.",
  programArguments: ['--stack', 'go-h2', '--protocol', 'h2'],
  responseOrders: { h2: 'interleaved' },
  selectableOrder: { library: null },
} as const satisfies Stack;

const goH1: Stack = {
  ...inGo,
  stack: 'go-h1',
  label: 'Go (http/1.1)',
  protocol: 'http/1.1',
  note: "HTTP/1.1 with keep-alive over TLS and TCP, from the same Go program with the same handler, by Go's own net/http. TCP runs in the kernel.",
  programArguments: ['--stack', 'go-h1', '--protocol', 'http/1.1'],
};

const quicGoH3: Stack = {
  ...inGo,
  stack: 'quic-go-h3',
  label: 'quic-go (h3)',
  protocol: 'h3',
  speaksQuicV2: true,
  note: 'HTTP/3 over QUIC: quic-go in a Go program, with its usual settings: up to 100 requests at a time, and Reno, for it has no other congestion control. QUIC runs in the program itself, over UDP.',
  programArguments: ['--stack', 'quic-go-h3', '--protocol', 'h3'],
  tcpTwin: goH2,
  responseOrders: { h3: 'by priority' },
  // quic-go sets socket buffers of 7 MB, which needs this capability if net.core.rmem_max is smaller.
  keeps: ['net_admin'],
  transport: quicGoTransport,
};

const goDual: Stack = {
  ...quicGoH3,
  stack: 'go-dual',
  label: 'Go (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as Go (h2) and HTTP/3 as quic-go (h3), in one Go program at one address and port. The browser chooses between them.',
  programArguments: ['--stack', 'go-dual', '--protocol', 'h2+h3'],
  responseOrders: { ...quicGoH3.responseOrders, ...goH2.responseOrders },
};

export const goStacks = [quicGoH3, goH2, goH1, goDual] as const;
