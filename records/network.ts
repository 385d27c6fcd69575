/** What the path between browser and servers is asked to add and to take. */
export interface AskedNetwork {
  /** For tables and file names: `none`, `30ms`, `dsl`, or made of the numbers. */
  name: string;
  /** Added delay in ms, both directions together; half of it each way. */
  rttMs: number;
  /** Rate towards the browser in kbit/s; null: no limit. */
  downKbps: number | null;
  /** Rate towards the servers in kbit/s; null: no limit. */
  upKbps: number | null;
  /** Share of packets lost in each direction, each packet by itself. */
  lossPercent: number;
  /** The delay of each packet varies evenly by so much, each way; packets may overtake. */
  jitterMs: number;
  /** Packets lost in bursts, in each direction (Gilbert's model); null: none. */
  burstLoss: BurstLoss | null;
}

/** Gilbert's two states: in the bad one every packet is lost. */
export interface BurstLoss {
  /** Chance of each packet to enter the bad state. */
  enterPercent: number;
  /** Chance of each packet to leave it. */
  leavePercent: number;
}

/** Who made the path: the kernel's netem, or this project's user-space link. */
export type NetworkBackend = 'netem' | 'userspace';

/** What the network was asked to be, and what it was. */
export interface NetworkRecord extends AskedNetwork {
  backend: NetworkBackend;
  /** Median round trip of small UDP packets over the path, measured before the group of blocks; the path's own time is in it. */
  measuredRttMs: number | null;
}

/** Counts of both directions of the path. */
export interface PathCounts {
  toServer: DirectionCounts;
  toClient: DirectionCounts;
  /** By how much the latest packet of either direction left too late; null: this backend does not tell. */
  maxLatenessMs: number | null;
  /** Processor time of the user-space link, in ms; null or absent: not told. */
  linkCpuMs?: number | null;
}

/** Counts of one direction. */
export interface DirectionCounts {
  packets: number;
  /** With the Ethernet header of 14 bytes for each packet, as qdiscs count. */
  bytes: number;
  /** Lost because the condition asks for loss. */
  lost: number;
  /** Dropped because the queue was full. */
  queueDrops: number;
}
