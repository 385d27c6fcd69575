import type { BrowserKind } from '../ground/browser-kind.ts';

/**
 * Window for a whole connection that a browser's QUIC grants a server at first, in bytes: its initial_max_data. Sources: the ClientHello
 * of captured loads; kQuicSessionMaxRecvWindowSize in Chromium's net/quic/quic_context.cc, network.http.http3.max_data of Firefox.
 */
export const QUIC_WINDOW_BYTES: Readonly<Record<BrowserKind, number>> = {
  chromium: 15 * 1024 * 1024,
  firefox: 24 * 1024 * 1024,
};

/**
 * Window that TCP grants with a receive buffer of this size, in bytes. Linux keeps half of the buffer for its overhead per
 * packet: tcp_adv_win_scale is 1, and from Linux 6.6 on TCP_DEFAULT_SCALING_RATIO is one half.
 */
export function tcpWindowBytes(receiveBufferBytes: number): number {
  return receiveBufferBytes / 2;
}

/** Receive buffer with which TCP grants the window of a browser's QUIC, in bytes. */
export function matchedReceiveBufferBytes(browser: BrowserKind = 'chromium'): number {
  return 2 * QUIC_WINDOW_BYTES[browser];
}
