import { DEFAULT_BASELINE } from '../servers/index.ts';

/** Constants that shape a run and are not options, with their reasons. */
export const DEFAULTS = {
  /** Expected time of a load, with preparation and settling, on a small machine. */
  expectedLoadMs: 800,
  /** The stack with which the other stacks are compared. */
  baseline: DEFAULT_BASELINE.stack,
  /** A server that prints no ready line within this time has failed. */
  serverReadyMs: 20_000,
  /** The server contract allows 2 s from SIGTERM to exit; then the server is killed. */
  serverStopMs: 2_000,
} as const;
