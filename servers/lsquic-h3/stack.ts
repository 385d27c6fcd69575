import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import { bun } from '../../ground/runtimes/bun.ts';
import type { Stack } from '../../ground/stack.ts';
import { bunH2 } from '../bun-h2/stack.ts';

/** lsquic inside Bun. */
export const lsquicH3 = {
  stack: 'lsquic-h3',
  label: 'lsquic (h3)',
  protocol: 'h3',
  speaksQuicV2: true,
  note: 'HTTP/3 over QUIC: lsquic inside a Bun program. QUIC runs in the program itself, over UDP.',
  byDefault: true,
  runtime: bun,
  program: path.join(import.meta.dirname, 'server.ts'),
  keyExchanges: KEY_EXCHANGES,
  tcpTwin: bunH2,
  responseOrders: { h3: 'by priority' },
  transport: {
    // By default lsquic chooses one by the first round-trip time, so that runs with and without delay would differ. Bun's
    // `reno` selects Cubic.
    congestionControls: ['cubic', 'bbr'],
    // Fixed by lsquic.
    initialWindowPackets: 32,
    initialWindowPacketBytes: 1460,
    senders: {
      cubic: {
        windowGrowth: 'per packet even when unused',
        lossBackOff: 'to 0.8',
        isPaced: true,
        source: 'lsquic_cubic.c and es_pace_packets of lsquic',
      },
      bbr: {
        windowGrowth: 'with the measured bandwidth',
        lossBackOff: 'packet conservation',
        isPaced: true,
        source: 'lsquic_bbr.c and es_pace_packets of lsquic',
      },
    },
    reportsSamples: true,
  },
} as const satisfies Stack;
