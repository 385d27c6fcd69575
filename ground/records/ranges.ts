/** Minimum and maximum, both included. */
export type Bounds = readonly [least: number, most: number];

const BYTES_OF_SIZE = 2_000_000_000;

/** Maximum duration of an option in ms; timers of Node hold less than 25 days. */
const TIMER_MS = 24 * 86_400_000;

/** Ranges of all numbers in options and in plans of other machines. */
export const BOUNDS = {
  /** Also of the blocks between two looks. */
  repetitions: [1, 1000],
  warmUps: [0, 20],
  filmedLoads: [1, 20],
  seed: [0, 2 ** 31 - 1],
  timeoutS: [1, 3600],
  marginPercent: [0.1, 50],
  rttMs: [0, 10_000],
  /** Below the minimum a page cannot arrive within the timeout. */
  kbps: [64, 10_000_000],
  lossPercent: [0, 50],
  jitterMs: [0, 1000],
  burstEnterPercent: [0, 100],
  burstLeavePercent: [1, 100],
  queueBdp: [0.05, 100],
  /** An event can be no later than the longest attempt. */
  eventMs: [0, 3_600_000],
  cutMs: [1, 3_600_000],
  lostPacket: [1, 1_000_000],
  mtuBytes: [1280, 65_535],
  receiveBufferBytes: [4096, 2 ** 30],
  initialWindowSegments: [1, 1000],
  tcpInfoMs: [1, 1000],
  responseDelayMs: [1, 10_000],
  messageBytes: [4, 100_000_000],
  /** Messages over a connection after its first one. */
  furtherMessages: [1, 1000],
  requests: [0, 1],
  localPort: [1, 65_535],
  /** A pause between loads, a time between rounds, a budget. */
  durationMs: [1, TIMER_MS],
  windowBytes: [1000, BYTES_OF_SIZE],
  sizeBytes: [0, BYTES_OF_SIZE],
  flowsS: [2, 300],
  startGapS: [0, 60],
  watchedS: [2, 600],
  bufferS: [1, 120],
  bitrateKbps: [1, 1_000_000],
  /** Width and height of a browser's window, in CSS pixels. */
  windowPx: [100, 10_000],
  pixelRatio: [0.5, 10],
  /** Chromium's page takes this many times as long for its work. */
  processorSlowdown: [1, 20],
} as const satisfies Record<string, Bounds>;

/** Bounds as keywords of a JSON Schema. */
export function within([minimum, maximum]: Bounds): { minimum: number; maximum: number } {
  return { minimum, maximum };
}

/** Bounds in s as keywords in ms. */
export function withinMs([leastS, mostS]: Bounds): { minimum: number; maximum: number } {
  return { minimum: 1000 * leastS, maximum: 1000 * mostS };
}
