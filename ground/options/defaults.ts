/** Numbers that decide what a run without options is, each with its reason; the help is made from these. */
export const OPTION_DEFAULTS = {
  /** A difference that needs more pairs than this is smaller than the noise of any machine. */
  mostRepetitions: 60,
  /** Where there is nothing to compare: enough for a spread, and for a stack against itself. */
  repetitionsAlone: 20,
  /** The answer in five minutes: this, and a start and a report around it. Larger plans have more. */
  budgetMs: 270_000,
  /** The first load of a server and a browser is slow, and differently so for each stack: docs/explanation/validity.md has how long that lasts. */
  warmUps: 3,
  /** A page out there is loaded so often, and no more unless it is asked for. */
  mostRepetitionsLive: 20,
  /** Between two loads from one host out there: no more than somebody who clicks about. */
  pauseMs: 3_000,
  /** The chance of even one wrong primary verdict in a run. */
  alpha: 0.05,
  /** A page that has not fired its load event by then counts as failed. */
  timeoutS: 30,
  /** The question of the project: with and without added delay. */
  rttMs: [0, 30],
  /** Less than this share of a page load time is a difference that nobody would act on. */
  marginPercent: 5,
  /** The path's largest packet: that of Ethernet. */
  mtuBytes: 1500,
  /** So many failures in a row are no accident. */
  stopAfter: 5,
} as const;
