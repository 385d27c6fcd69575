import type { PacketSource } from '../records.ts';

/** State of the sender's transport, all connections together. Times are in ms since the request for the transfer. */
export interface SenderSample {
  atMs: number;
  /** null: not known from packets on the path. */
  cwndBytes: number | null;
  inFlightBytes: number;
  /** Of packets on the path: most bytes in flight in the latest round trip. */
  peakInFlightBytes?: number;
  /** Of packets on the path: the receiver's window that has no room for another packet; null: neither. */
  fullWindow?: 'receive window' | 'stream window' | null;
  rttMs: number;
  /** Minimum round-trip time so far; null: not measured yet. */
  minRttMs: number | null;
  /** Bytes written by the sending program, but not sent yet; null: unknown. */
  notSentBytes: number | null;
  /** Total time limited by the receive window of the connection; null: unknown. */
  receiveWindowMs: number | null;
  /** Packets lost so far. */
  lostPackets: number;
}

/** Traffic of the link in the direction of the bodies. */
export interface LinkStep {
  atMs: number;
  forMs: number;
  bytes: number;
  /** Time in which a packet was sent at the limited rate, or waited for a recorded link. */
  busyMs: number;
  queueDrops: number;
  /** Packets that were lost otherwise. */
  lost: number;
  /** Maximum time from a packet's arrival to the end of its transmission. */
  mostWaitMs: number;
}

/** Processor use of both ends. */
export interface OccupationStep {
  atMs: number;
  forMs: number;
  client: Occupation;
  server: Occupation;
}

/** `busiestMs`: time in which the busiest thread had a core or waited for one. `cpuMs`: all threads. */
interface Occupation {
  busiestMs: number;
  cpuMs: number;
}

/** Observations of a complete transfer, without its request, options or conditions. */
export interface ObservedTransfer {
  /** Sender of the bodies. */
  sends: 'client' | 'server';
  /** End of the handshake, when the client may send its request; null: not reported. */
  connectMs: number | null;
  firstByteMs: number;
  lastByteMs: number;
  /** The server's own time by Server-Timing; null: not reported. */
  serverMs: number | null;
  /** Added round-trip time of the path. */
  pathRttMs: number;
  /** Samples of the sender; null: not reported. */
  sender: readonly SenderSample[] | null;
  /** How its packets on the path could be read, from which its samples derive. Absent: its own samples, or none. */
  packets?: PacketSource;
  /** Steps of the link; null: not reported by this path. */
  link: readonly LinkStep[] | null;
  /** Processor use; null: not reported by the kernel. */
  occupation: readonly OccupationStep[] | null;
  /** Processor time of the program that carries the packets; null: no such program. */
  linkCpuMs: number | null;
  /** Initial windows of the receiver; null: not reported. */
  offered: OfferedWindows | null;
}

/** Windows of HTTP/2 and QUIC, not of the kernel's TCP; null: not in the protocol, or unknown. */
export interface OfferedWindows {
  /** Sum of the windows of all streams. */
  streamsBytes: number | null;
  connectionBytes: number | null;
}
