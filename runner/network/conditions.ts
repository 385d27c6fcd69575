/** What the path between browser and servers adds and takes; numbers only. */
export interface NetworkCondition {
  name: string;
  /** Added delay, both directions together; half of it each way. */
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
  /** Decides which packets are lost. */
  seed: number;
}

/** Gilbert's two states: in the bad one every packet is lost. */
export interface BurstLoss {
  /** Chance of each packet to enter the bad state. */
  enterPercent: number;
  /** Chance of each packet to leave it. */
  leavePercent: number;
}
