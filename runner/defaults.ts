import { DEFAULT_BASELINE } from '../servers/index.ts';

/** What decides how a run is made and is no option, with its reason. */
export const DEFAULTS = {
  /** What a load is expected to take with all that is around it, on a small machine. */
  expectedLoadMs: 800,
  /** The stack that the others are compared with. */
  baseline: DEFAULT_BASELINE.stack,
  /** A server that has printed no ready line by then does not start any more. */
  serverReadyMs: 20_000,
  /** The servers' contract allows 2 s from SIGTERM to the end; after that they are killed. */
  serverStopMs: 2_000,
} as const;
