/** One connection of the browser, as its handshake was seen on the path. */
export interface ConnectionRecord {
  /** The name that it asked for (SNI); null: none. */
  host: string | null;
  /** `ip:port` of the server. */
  address: string;
  clientPort: number;
  transport: 'quic' | 'tcp';
  /** What the browser offered: a full handshake, a ticket, or a ticket and requests sent along (0-RTT). */
  offered: 'full' | 'resumption' | 'early-data';
  /** `TLS 1.3`, `TLS 1.2`; for QUIC too, whose handshake is TLS 1.3's; null: the server did not answer. */
  tlsVersion: string | null;
  cipher: string | null;
  /** What the server chose; null: it did not answer. */
  handshake: 'full' | 'resumed' | null;
  /** What became of requests sent along; unknown: nobody had the keys to tell. */
  earlyData: 'none' | 'accepted' | 'rejected' | 'unknown';
}

/** The connections of one load. */
export interface LoadConnections {
  /** Those whose set-up began in the load, in the order of their handshakes. */
  opened: ConnectionRecord[];
  /** Whether every handshake was seen. If not, there may have been more. */
  whole: boolean;
}
