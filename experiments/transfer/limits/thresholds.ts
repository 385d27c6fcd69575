/** Thresholds of the model with their reasons; experiments/transfer/README.md shows the table. */
export const THRESHOLDS = {
  /** A saturated link is busy at least this share of the time; with longer gaps, their cause is the limit. */
  linkBusyShare: 0.9,
  /** A thread that has or wants a core this share of the time hardly waits for packets. */
  occupiedShare: 0.85,
  /** The kernel counts this time itself, so half of the time suffices. */
  receiveWindowShare: 0.5,
  /** Bytes in flight stay below the window because of delayed acknowledgements and packets that do not fit. */
  windowFullShare: 0.8,
  /** Senders pace a window over at most 80 % of a round trip (RFC 9002, section 7.7), and wait for the rest. */
  windowFullTime: 0.2,
  /** Slow start grows a congestion window by half or more in a round trip; a full window of the receiver hardly varies. */
  steadyGrowth: 1.25,
  /** An overestimated round trip has one extension more, of half a window, and headers; beyond, the window was raised. */
  raisedWindowShare: 1.6,
  /** Receivers extend the window when half of it is read, so on average it is half full to full. */
  offeredFullShare: 0.4,
  /** The main limit has at least this share of the time. */
  decisiveShare: 0.4,
  /** Required lead over the second limit. */
  aheadShare: 0.1,
  /** With shorter round trips a transfer waits for programs that alternate, not for the path. */
  leastRoundTripMs: 2,
  /** Least length of a span: shorter ones have too few samples. */
  leastWindowMs: 20,
} as const;
