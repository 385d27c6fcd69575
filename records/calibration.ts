/** What the path was asked to be and what it was found to be, measured before a group of blocks. */
export interface Calibration {
  /** ISO 8601, UTC. */
  measuredAt: string;
  /** The condition's name and its numbers. */
  asked: {
    condition: string;
    /** Added delay, both directions together. */
    rttMs: number;
    /** Towards the browser; null: no limit. */
    downKbps: number | null;
    /** Towards the servers; null: no limit. */
    upKbps: number | null;
    lossPercent: number;
    jitterMs: number;
    /** Share of packets that the asked bursts of loss take, next to lossPercent; 0: none. */
    burstLossPercent: number;
  };
  /** Who made the path. */
  backend: string;
  /** Scheduling of the user-space link: `fifo`, `eevdf` or `none`; null: the kernel is the link. */
  linkPriority: string | null;
  /** Round trips of single packets that were not lost; the path's own time is in them. */
  udpRttMs: Spread;
  /** Round trips of small messages on one TCP connection; a lost packet makes one of them long. */
  tcpRttMs: Spread;
  /** From connect() to its end: one round trip. */
  tcpConnectMs: Spread;
  /** One way, browser to server. */
  toServerMs: Spread;
  /** One way, server to browser. */
  toClientMs: Spread;
  udpProbes: number;
  /** Probes that did not come back; others were sent in their place. */
  udpProbesLost: number;
  /** Achieved towards the browser, in kbit/s of packets with their Ethernet header; null: no limit asked, not measured. */
  downKbps: number | null;
  /** The same towards the servers. */
  upKbps: number | null;
  /** What was sent to measure downKbps: more than fits, when the machine can send so much. */
  downOfferedKbps: number | null;
  upOfferedKbps: number | null;
  /** Share of the time of measuring downKbps that went by in pauses between packets. Older records lack it. */
  downPausedPercent?: number | null;
  upPausedPercent?: number | null;
  /** The machine's, right after measuring. */
  loadAverage1m: number;
  cores: number;
  /** By what the machine was seen to be late, as a sentence; null: it was not. Older records lack it. */
  late?: string | null;
}

/** A few numbers that describe many; quantiles of type 7. Older records lack p25 and p99. */
export interface Spread {
  count: number;
  minimum: number;
  p25?: number;
  median: number;
  p90: number;
  p99?: number;
  maximum: number;
}

/** One line of calibrations.jsonl: the path as it was before the group of blocks of a site under a condition. */
export type CalibrationRecord = Calibration & { site: string };
