/** How often the sender's transport reports its state, in ms. A read from the kernel takes a third of a millisecond of processor time. */
export const SENDER_SAMPLE_MS = 20;

/** How a sender of one congestion control treats its window, as its source code has it. */
export interface Sender {
  /**
   * In slow start: what it counts of acknowledgements, whether a window that is not used grows too, and whether HyStart
   * ends it before a loss does.
   */
  windowGrowth: string;
  /** What is left of the window after a loss. */
  lossBackOff: string;
  /** Spreads packets over time. null: depends on the queueing discipline of the device. */
  isPaced: boolean | null;
  /** Files of its source code. */
  source: string;
}
