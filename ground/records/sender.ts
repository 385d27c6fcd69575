/** Interval of the sender's samples in ms. A read from the kernel takes a third of a millisecond of processor time. */
export const SENDER_SAMPLE_MS = 20;

/** Behaviour of a sender with one congestion control, from its source code. */
export interface Sender {
  /** In slow start: how acknowledgements are counted, whether an unused window grows, and whether HyStart ends it before a loss. */
  windowGrowth: string;
  /** Part of the window that remains after a loss. */
  lossBackOff: string;
  /** Spreads packets over time. null: depends on the queueing discipline of the device. */
  isPaced: boolean | null;
  /** Source files. */
  source: string;
}
