import type { Protocol } from '../../ground/records/protocol.ts';

/** One connection of the browser, from its NetLog. */
export interface NetLogConnection {
  /** Host for which it was opened. */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  /** null: it ended before a protocol was agreed on. */
  protocol: Protocol | null;
  /** `TLS 1.3`, `TLS 1.2`; for QUIC too, whose handshake is TLS 1.3's. */
  tlsVersion: string | null;
  cipher: string | null;
  /**
   * full: certificates were sent; resumed: with a ticket of an earlier connection; null: no
   * completed handshake.
   */
  handshake: 'full' | 'resumed' | null;
  /** Whether requests were sent as early data (0-RTT), and the server's decision. */
  earlyData: 'none' | 'accepted' | 'rejected';
}

/** A connection to a host without further data. */
export function begunConnection(host: string): NetLogConnection {
  return {
    host,
    address: '',
    protocol: null,
    tlsVersion: null,
    cipher: null,
    handshake: null,
    earlyData: 'none',
  };
}

/** The connections of one load. */
export interface NetLogConnections {
  /** Those whose set-up began in the load, in the order of their handshakes, with any result. */
  opened: NetLogConnection[];
  /** Those from before the load that carried requests of the load. */
  reused: NetLogConnection[];
  /** Whether the NetLog is whole. If not, connections may be missing. */
  whole: boolean;
}
