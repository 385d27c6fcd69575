import type { Protocol } from '../../ground/records/protocol.ts';

/** One connection of the browser, as its NetLog tells it. */
export interface NetLogConnection {
  /** The host that it was made for. */
  host: string;
  /** `ip:port` of the server. */
  address: string;
  /** null: it ended before a protocol was agreed on. */
  protocol: Protocol | null;
  /** `TLS 1.3`, `TLS 1.2`; for QUIC too, whose handshake is TLS 1.3's. */
  tlsVersion: string | null;
  cipher: string | null;
  /** full: certificates were sent; resumed: with a ticket of an earlier connection; null: no handshake was completed. */
  handshake: 'full' | 'resumed' | null;
  /** Whether requests were sent along with the handshake (0-RTT), and what the server did with them. */
  earlyData: 'none' | 'accepted' | 'rejected';
}

/** A connection to a host of which nothing else is known yet. */
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
  /** Those whose set-up began in the load, in the order of their handshakes, with whatever became of them. */
  opened: NetLogConnection[];
  /** Those from before the load that were given requests of the load all the same. */
  reused: NetLogConnection[];
  /** Whether the NetLog is whole. If not, there may have been more than it tells. */
  whole: boolean;
}
