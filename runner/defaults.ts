import { DEFAULT_BASELINE, MATCHED_TRANSPORT } from '../servers/index.ts';

/** Every number that decides how a run is made, with its reason; the help text is made from these. */
export const DEFAULTS = {
  /** Whoever needs more pairs than this looks for a difference that is smaller than the noise of any machine. */
  mostRepetitions: 60,
  /** Where there is nothing to compare: enough for a spread, and for a stack against itself. */
  repetitionsAlone: 20,
  /** The answer in five minutes: this, and a start and a report around it. Larger plans have more. */
  budgetMs: 240_000,
  /** What a load is expected to take with all that is around it, on a small machine. */
  expectedLoadMs: 800,
  /** The chance of even one wrong primary verdict in a run. */
  alpha: 0.05,
  /** A page that has not fired its load event by then counts as failed. */
  timeoutS: 30,
  /** The question of the project: with and without added delay. */
  rttMs: [0, 30],
  /** The stack that the others are compared with. */
  baseline: DEFAULT_BASELINE.stack,
  /** Less than this share of a page load time is no difference that anybody would act on. */
  marginPercent: 5,
  /** TCP's congestion control on both ends: the one that QUIC's server is set to. */
  congestionControl: MATCHED_TRANSPORT.congestionControl,
  /** The path's largest packet: that of Ethernet. */
  mtuBytes: 1500,
  /** So many failures of the same kind in a row are no accident. */
  stopAfter: 5,
  /** What QUIC's server starts with, in packets. */
  matchedInitcwnd: MATCHED_TRANSPORT.initialWindowPackets,
  /** A server that has printed no ready line by then does not start any more. */
  serverReadyMs: 20_000,
  /** The servers' contract allows 2 s from SIGTERM to the end; after that they are killed. */
  serverStopMs: 2_000,
} as const;
