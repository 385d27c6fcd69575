import { KEY_EXCHANGES } from '../../records/key-exchange.ts';
import type { Stack } from '../stack.ts';

/** Go's own server with HTTP/2. */
export const goH2 = {
  stack: 'go-h2',
  label: 'Go (h2)',
  protocol: 'h2',
  note: "HTTP/2 over TLS and TCP, from the same Go program with the same handler, by Go's own net/http with its usual settings: up to 250 requests at a time. TCP runs in the kernel.",
  byDefault: false,
  runtime: 'go',
  programArguments: ['--stack', 'go-h2', '--protocol', 'h2'],
  keyExchanges: KEY_EXCHANGES,
} as const satisfies Stack;

/** Go's own server with HTTP/1.1. */
export const goH1: Stack = {
  ...goH2,
  stack: 'go-h1',
  label: 'Go (http/1.1)',
  protocol: 'http/1.1',
  note: "HTTP/1.1 with keep-alive over TLS and TCP, from the same Go program with the same handler, by Go's own net/http. TCP runs in the kernel.",
  programArguments: ['--stack', 'go-h1', '--protocol', 'http/1.1'],
};

/** quic-go. */
export const quicGoH3: Stack = {
  ...goH2,
  stack: 'quic-go-h3',
  label: 'quic-go (h3)',
  protocol: 'h3',
  note: 'HTTP/3 over QUIC: quic-go in a Go program, with its usual settings: up to 100 requests at a time, and Reno, for it has no other congestion control. QUIC runs in the program itself, over UDP.',
  programArguments: ['--stack', 'quic-go-h3', '--protocol', 'h3'],
  tcpTwin: goH2,
  transport: {
    // Constants of quic-go: `use Reno` in internal/ackhandler/sent_packet_handler.go, initialCongestionWindow in
    // internal/congestion/cubic_sender.go.
    congestionControls: ['reno'],
    initialWindowPackets: 32,
    tellsSamples: false,
  },
};

/** quic-go and Go's own server with HTTP/2, at one address. */
export const goDual: Stack = {
  ...quicGoH3,
  stack: 'go-dual',
  label: 'Go (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as Go (h2) and HTTP/3 as quic-go (h3), in one Go program at one address and port. The browser chooses between them.',
  programArguments: ['--stack', 'go-dual', '--protocol', 'h2+h3'],
};
