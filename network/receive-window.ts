/**
 * Window for a whole connection that Chromium's QUIC grants a server at first, in bytes: its initial_max_data. Source:
 * kQuicSessionMaxRecvWindowSize in Chromium's net/quic/quic_context.cc, and the ClientHello of a captured load.
 */
export const CHROMIUM_QUIC_WINDOW_BYTES = 15 * 1024 * 1024;

/**
 * Window that TCP grants with a receive buffer of this size, in bytes. Linux keeps half of the buffer for its overhead per
 * packet: tcp_adv_win_scale is 1, and from Linux 6.6 on TCP_DEFAULT_SCALING_RATIO is one half.
 */
export function tcpWindowBytes(receiveBufferBytes: number): number {
  return receiveBufferBytes / 2;
}

/** Receive buffer with which TCP grants the window of Chromium's QUIC, in bytes. */
export const MATCHED_RECEIVE_BUFFER_BYTES = 2 * CHROMIUM_QUIC_WINDOW_BYTES;
