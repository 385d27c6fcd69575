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

/** The connections of one load. */
export interface LoadConnections {
  /** Those whose set-up began in the load, in the order of their handshakes, with whatever became of them. */
  opened: ConnectionRecord[];
  /** Those from before the load that were given requests of the load all the same. */
  reused: ConnectionRecord[];
  /** Whether the NetLog is whole. If not, there may have been more than it tells. */
  whole: boolean;
}

/**
 * How many handshakes of each kind Chromium counted in a load. It keeps these counters whether anybody asks or not: unlike
 * a NetLog they cost a load nothing. They know no hosts.
 */
export interface HandshakeCounts {
  /** Over TCP, by TLS 1.3 or older: certificates were sent. */
  tlsFull: number;
  /** Over TCP with a ticket or a session of an earlier connection. */
  tlsResumed: number;
  /** Whatever else there may be. */
  tlsOther: number;
  /** No ticket was offered, so the handshake was a full one. */
  quicFull: number;
  /** With a ticket, and requests sent along were accepted. */
  quicEarlyDataAccepted: number;
  /** With a ticket, and requests not sent along, or refused. */
  quicOther: number;
}
