import type { Protocol } from './page-load.ts';

/** One connection of the browser, as its NetLog tells it. */
export interface ConnectionRecord {
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
