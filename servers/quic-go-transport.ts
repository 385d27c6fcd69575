import type { QuicTransport } from '../ground/stack.ts';

/** QUIC of quic-go; constants of `use Reno` in sent_packet_handler.go and of initialCongestionWindow in cubic_sender.go. */
export const quicGoTransport: QuicTransport = {
  congestionControls: ['reno'],
  initialWindowPackets: 32,
  initialWindowPacketBytes: 1280,
  senders: {
    reno: {
      windowGrowth: 'per packet when half used with HyStart',
      lossBackOff: 'to 0.7',
      isPaced: true,
      source: 'internal/congestion/cubic_sender.go and pacer.go of quic-go',
    },
  },
  reportsSamples: false,
};
