/** Defaults of a run, with their reasons; the help shows them. */
export const OPTION_DEFAULTS = {
  mostRepetitions: 60,
  /** Without a comparison: enough for a spread and for an A/A test. */
  repetitionsAlone: 20,
  /** With start and report, a result takes five minutes. Larger plans take longer. */
  budgetMs: 270_000,
  /** First loads of servers and browsers are slow, by different amounts for each stack: docs/explanation/validity.md. */
  warmUps: 3,
  filmedLoads: 3,
  /** With --explain: fourteen rounds of three blocks estimate the variance between browsers. */
  repetitionsExplained: 42,
  /** For each page and condition. */
  budgetExplainedMs: 20 * 60_000,
  /** Live pages get no more loads unless requested. */
  mostRepetitionsLive: 20,
  /** Between two loads from one live host; about the pace of a user. */
  pauseMs: 3_000,
  /** Family-wise error rate of the primary verdicts of a run. */
  alpha: 0.05,
  /** Timeout of the load event. */
  timeoutS: 30,
  /** With and without added delay. */
  rttMs: [0, 30],
  /** Smaller differences of page load time have no practical relevance. */
  marginPercent: 5,
  /** MTU of Ethernet. */
  mtuBytes: 1500,
  /** This many consecutive failures are systematic. */
  stopAfter: 5,
} as const;
