/** One connection of the browser, as its handshake was seen on the path. */
export interface ConnectionRecord {
  /** The name that the browser asked for (SNI); null: it asked for none, or its hello was not seen. */
  host: string | null;
  /** `ip:port` of the server. */
  address: string;
  clientPort: number;
  transport: 'quic' | 'tcp';
  /** What the browser offered: no ticket, a ticket of an earlier connection, or requests along with one (0-RTT). */
  offered: 'full' | 'resumption' | 'early-data';
  /** `TLS 1.3`, `TLS 1.2`; null: no answer of the server was seen. */
  tlsVersion: string | null;
  /** In the words of DevTools; null: no answer of the server was seen. */
  cipher: string | null;
  /** What the server chose. full: it sent certificates; resumed: it took the ticket; null: no answer of it was seen. */
  handshake: 'full' | 'resumed' | null;
  /** What became of requests sent along; unknown: the answer is encrypted, and its key or the answer itself is missing. */
  earlyData: 'none' | 'accepted' | 'rejected' | 'unknown';
}

/** The connections of one load. */
export interface LoadConnections {
  /** In the order of their first packets. */
  opened: ConnectionRecord[];
  /** Whether no packet was missed, and every hello could be read. If not, there may be more to tell. */
  whole: boolean;
}
