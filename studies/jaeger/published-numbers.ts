/** Results of the published data, from the hosts' medians; a test computes each number from `data/`. */
export const PUBLISHED = {
  /** Slopes of lines through hosts, in round trips; a host's TCP handshake is its round-trip time. */
  roundTrips: {
    /** Over all hosts with QUIC, from the machine emilia. */
    quic: 1.74,
    /** Only hosts where TLS 1.2 takes little more than three round trips. */
    quicAtPlainHosts: 1.95,
    tls13: 2.08,
    tls12: 3.16,
  },
  /** Time of TLS 1.3 less that of QUIC at the two hosts that have both, by machine. */
  leadMs: { emilia: 10.4, vmott17: 1.8 },
} as const;
