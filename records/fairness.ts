import type { StackPair } from './like-for-like.ts';
import type { StackReadings } from './stack-readings.ts';

/**
 * What browser and servers had to work with, read back from the system while the path stood, not copied from what was
 * asked for: a reader can judge whether protocols were compared, or buffers and congestion controllers.
 */
export interface FairnessManifest {
  /** ISO 8601, UTC. */
  readAt: string;
  /** The end of the browser. */
  client: EndManifest;
  /** The end of the servers. */
  server: EndManifest;
  /**
   * Stack to what its server said of itself when it got ready. QUIC lives in the server's program, so its congestion
   * control and windows can be asked of nobody else.
   */
  stacks: Record<string, Record<string, Reading<string>>>;
  /** Stack to what is known of it before the first load, in words that can be compared. */
  readings: Record<string, StackReadings>;
  /** Every stack compared with every other one in what is known before the first load. */
  pairs: StackPair[];
}

/** A value and where it was read. */
export interface Reading<T> {
  /** null: this system does not tell. */
  value: T | null;
  from: string;
}

/** One end of the path: its namespace, its device, and a TCP connection through the path opened to be read. */
export interface EndManifest {
  /** Of the live connection. */
  tcpCongestionControl: Reading<string>;
  /** Congestion window right after connecting, before anything was sent. */
  tcpInitialWindowSegments: Reading<number>;
  /** Payload of a full segment of the live connection. */
  tcpMssBytes: Reading<number>;
  /** What the live connection takes the path's MTU for. */
  pathMtuBytes: Reading<number>;
  deviceMtuBytes: Reading<number>;
  /** More than 1: several segments may cross the path as one packet. */
  segmentsPerPacket: Reading<number>;
  queueingDiscipline: Reading<string>;
  /** Offloads of the device by their names in `ethtool -k`. */
  offloads: Reading<Record<string, boolean>>;
  /** Whether TCP begins anew with a small window after a pause. */
  tcpSlowStartAfterIdle: Reading<boolean>;
  /** Whether TCP remembers what it learned from earlier connections. */
  tcpSavesMetrics: Reading<boolean>;
  /** 0: off; 1: asked for; 2: granted when the other side asks. */
  tcpEcn: Reading<number>;
  tcpReceiveBufferBytes: Reading<BufferRange>;
  tcpSendBufferBytes: Reading<BufferRange>;
  /** Of a socket that asks for nothing. */
  udpReceiveBufferBytes: Reading<number>;
  udpSendBufferBytes: Reading<number>;
  /** What a UDP socket can ask for. */
  udpReceiveBufferLimitBytes: Reading<number>;
  udpSendBufferLimitBytes: Reading<number>;
  ipv6: Reading<boolean>;
  /** Destinations that packets can be sent to: the other end, and nothing else. */
  routes: Reading<string[]>;
}

/** Buffers that the kernel sizes by itself. */
export interface BufferRange {
  minimum: number;
  initial: number;
  maximum: number;
}
