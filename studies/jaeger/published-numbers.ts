/** What the published data say, by the hosts' medians; `data/` has the data, and a test computes each number from them. */
export const PUBLISHED = {
  /** Lines through hosts, their TCP handshakes being the round-trip times, in round trips. */
  roundTrips: {
    /** Over all hosts with QUIC, from the machine emilia. */
    quic: 1.74,
    /** The same over those at which TLS 1.2 takes three round trips and little else. */
    quicAtPlainHosts: 1.95,
    tls13: 2.08,
    tls12: 3.16,
  },
  /** Time of TLS 1.3 less that of QUIC at the two hosts that speak both, by machine. */
  leadMs: { emilia: 10.4, vmott17: 1.8 },
} as const;
