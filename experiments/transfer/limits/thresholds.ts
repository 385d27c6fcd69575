/** From where on the model says so, each with its reason; experiments/transfer/README.md shows the table. */
export const THRESHOLDS = {
  /** A link at its rate is busy all the time but for gaps between bursts; below it whatever leaves the gaps is what limits. */
  linkBusyShare: 0.9,
  /** A thread that waits for packets sleeps and wakes: beyond this the waits are too short to matter. */
  occupiedShare: 0.85,
  /** The kernel counts the time itself, so half of it is most of it. */
  receiveWindowShare: 0.5,
  /** What is on its way falls short of the window by acknowledgements that are being waited for, and by packets that do not fit. */
  windowFullShare: 0.8,
  /** Receivers let more come when half of the window is read, so that on average it is filled by half to whole. */
  offeredFullShare: 0.4,
  /** What holds up less than this of the time is not what to raise first. */
  tellingShare: 0.4,
  /** And two that hold up almost as much cannot be told apart. */
  aheadShare: 0.1,
  /** Below this round trip nobody waits for the path, but for programs that take turns. */
  leastRoundTripMs: 2,
  /** Shorter windows of time have too few samples. */
  leastWindowMs: 20,
} as const;
