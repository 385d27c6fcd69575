import path from 'node:path';
import type { Stack } from '../../ground/stack.ts';
import { envoy } from './runtime.ts';

const byEnvoy = {
  byDefault: false,
  runtime: envoy,
  program: path.join(import.meta.dirname, 'server.ts'),
  choosesKeyExchange: true,
} as const;

const envoyH2 = {
  ...byEnvoy,
  stack: 'envoy-h2',
  label: 'Envoy (h2)',
  protocol: 'h2',
  note: "HTTP/2 over TLS and TCP: Envoy as a reverse proxy of this project's own server, with the key exchanges of envoy-h3. TCP runs in the kernel.",
  programArguments: ['envoy-h2'],
  // It depends on how full the connection's buffer of 1 MiB is.
  responseOrders: { h2: 'varying' },
} as const satisfies Stack;

const envoyH3: Stack = {
  ...byEnvoy,
  stack: 'envoy-h3',
  label: 'Envoy (h3)',
  protocol: 'h3',
  speaksQuicV2: true,
  note: "HTTP/3 over QUIC: Envoy, with quiche of Google, as a reverse proxy of this project's own server. It has BBR unless --cc names Cubic, and takes the client's first choice of key exchange. QUIC runs in Envoy itself, over UDP.",
  programArguments: ['envoy-h3'],
  tcpTwin: envoyH2,
  responseOrders: { h3: 'by priority' },
  transport: {
    congestionControls: ['cubic', 'bbr'],
    initialWindowPackets: 32,
    initialWindowPacketBytes: 1460,
    initialWindowSource: 'kInitialCongestionWindow in quic_constants.h of quiche',
    senders: {
      cubic: {
        windowGrowth: 'per packet when half used with HyStart',
        lossBackOff: 'to 0.85',
        isPaced: true,
        source: 'tcp_cubic_sender_bytes.cc, cubic_bytes.cc and pacing_sender.cc of quiche',
      },
      bbr: {
        windowGrowth: 'with the measured bandwidth',
        lossBackOff: 'packet conservation',
        isPaced: true,
        source: 'bbr_sender.cc and pacing_sender.cc of quiche',
      },
    },
    reportsSamples: false,
  },
};

const envoyDual: Stack = {
  ...envoyH3,
  stack: 'envoy-dual',
  label: 'Envoy (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as Envoy (h2) and HTTP/3 as Envoy (h3), in one Envoy at one address and port. The browser chooses between them.',
  programArguments: ['envoy-dual'],
  responseOrders: { ...envoyH3.responseOrders, ...envoyH2.responseOrders },
};

export const envoyStacks = [envoyH3, envoyH2, envoyDual] as const;
